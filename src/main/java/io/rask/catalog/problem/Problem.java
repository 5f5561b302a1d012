package io.rask.catalog.problem;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An error body: a problem document with the members the specification's clients read ({@code code}, {@code error}) and those
 * LanceDB's read ({@code error_code}, {@code resource}, {@code request_id}).
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record Problem(
        String type,
        String title,
        int status,
        String detail,
        @Nullable String instance,
        int code,
        String error,
        @JsonProperty("error_code") String errorCode,
        @Nullable Resource resource,
        @JsonProperty("request_id") String requestId,
        List<FieldViolation> errors,
        @JsonAnyGetter Map<String, Object> members) {

    record Resource(
            String kind,
            String name,
            @JsonInclude @JsonProperty("namespace_path") List<String> namespacePath) {}
}
