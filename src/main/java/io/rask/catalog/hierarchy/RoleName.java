package io.rask.catalog.hierarchy;

import io.rask.catalog.id.NameRules;
import io.rask.catalog.problem.CatalogException;

/** What a role is called: a name within its project, spelled {@code project/name}. */
public record RoleName(String project, String name) {
    private static final char BETWEEN = '/';

    /** @throws CatalogException code 13 for a name that no project or no role can have */
    public RoleName {
        NameRules.container("project", project);
        NameRules.role(name);
    }

    /**
     * Reads {@code project/name}.
     *
     * @throws CatalogException code 13 for anything else
     */
    public static RoleName of(String text) {
        int between = text.indexOf(BETWEEN);
        if (between < 0) {
            throw CatalogException.invalid("A role is spelled <project>/<name>.");
        }
        return new RoleName(text.substring(0, between), text.substring(between + 1));
    }

    @Override
    public String toString() {
        return project + BETWEEN + name;
    }
}
