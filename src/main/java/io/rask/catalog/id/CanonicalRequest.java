package io.rask.catalog.id;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The request as handlers are mapped by: the canonical path, and parameters from the query alone. */
final class CanonicalRequest extends HttpServletRequestWrapper {
    private final String path;
    private final Map<String, List<String>> query;

    CanonicalRequest(HttpServletRequest request, String path, Map<String, List<String>> query) {
        super(request);
        this.path = path;
        this.query = query;
    }

    @Override
    public String getRequestURI() {
        return path;
    }

    @Override
    public StringBuffer getRequestURL() {
        StringBuffer original = super.getRequestURL();
        int end = original.length() - super.getRequestURI().length();
        return new StringBuffer(original.substring(0, Math.max(0, end))).append(path);
    }

    @Override
    public @Nullable String getParameter(String name) {
        List<String> values = query.get(name);
        return values == null ? null : values.getFirst();
    }

    @Override
    public String @Nullable [] getParameterValues(String name) {
        List<String> values = query.get(name);
        return values == null ? null : values.toArray(String[]::new);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(query.keySet());
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        Map<String, String[]> arrays = new LinkedHashMap<>();
        query.forEach((name, values) -> arrays.put(name, values.toArray(String[]::new)));
        return Collections.unmodifiableMap(arrays);
    }
}
