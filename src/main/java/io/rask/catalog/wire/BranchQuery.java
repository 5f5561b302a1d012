package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import org.jspecify.annotations.Nullable;

/** The query of an operation on a branch, which clients name here or in the body. */
public record BranchQuery(@Nullable String branch) {

    /**
     * The branch that is meant; null for the main one.
     *
     * @throws CatalogException code 13 when query and body name two
     */
    public @Nullable String or(@Nullable String inBody) {
        boolean named = branch != null && !branch.isEmpty();
        if (named && inBody != null && !inBody.isEmpty() && !inBody.equals(branch)) {
            throw CatalogException.invalid("The query and the body name two branches.");
        }
        return named ? branch : inBody;
    }
}
