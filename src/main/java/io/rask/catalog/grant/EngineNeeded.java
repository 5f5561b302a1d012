package io.rask.catalog.grant;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import org.springframework.beans.factory.ObjectProvider;

/** What is there only where a permission engine is. */
final class EngineNeeded {
    private EngineNeeded() {}

    /** @throws CatalogException code 0 where there is none */
    static <T> T from(ObjectProvider<T> engine) {
        T there = engine.getIfAvailable();
        if (there == null) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED, "This server asks nobody what callers may do (lance.fga.enabled is false).");
        }
        return there;
    }
}
