package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** Looks again at what a request was about when it failed in a way that nobody expected. */
public interface SecondLook {
    /** The reason that is better than none, if there is one now. */
    Optional<CatalogException> reason(HttpServletRequest request);
}
