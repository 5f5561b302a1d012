package io.rask.catalog.access;

import java.util.List;

/** Tells callers what the permission model has them as; there is one where there is a model. */
public interface Standings {
    /**
     * What somebody is in the whole.
     *
     * @param estateAdmin whether the caller administers the installation
     * @param projects the projects the caller has a role in, in order
     */
    record Standing(boolean estateAdmin, List<ProjectRole> projects) {}

    /** A project and what the caller is in it, such as {@code admin}. */
    record ProjectRole(String project, String role) {}

    /** @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not say */
    Standing of(Principal caller);
}
