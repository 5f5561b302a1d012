package io.rask.catalog.access;

import jakarta.servlet.http.HttpServletRequest;

/** Says who asks, from headers alone. */
public interface Identification {
    /**
     * The caller.
     *
     * @throws io.rask.catalog.problem.CatalogException code 16 when the request does not say who asks, or not truthfully
     */
    Principal identify(HttpServletRequest request);
}
