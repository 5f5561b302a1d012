package io.rask.catalog.access.identity;

import io.rask.catalog.access.Principal;
import io.rask.catalog.problem.CatalogException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** One way to say who asks. */
interface Credential {
    /**
     * The caller, where the request uses this way.
     *
     * @throws CatalogException code 16 when it does so and is not believed; code 17 when that cannot be found out now
     */
    Optional<Principal> principal(HttpServletRequest request);

    /** What {@code WWW-Authenticate} says of this way. */
    String challenge();

    /** The value of a header that may be there once; a blank one is none. */
    default Optional<String> single(HttpServletRequest request, String header) {
        List<String> values = Collections.list(request.getHeaders(header));
        if (values.size() > 1) {
            throw CatalogException.unauthenticated(
                    "The header " + header + " is there more than once; send one.", List.of(challenge()));
        }
        return values.stream()
                .map(String::strip)
                .filter(value -> !value.isEmpty())
                .findFirst();
    }
}
