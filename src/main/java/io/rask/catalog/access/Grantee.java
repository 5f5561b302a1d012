package io.rask.catalog.access;

import io.rask.catalog.hierarchy.RoleName;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import java.util.Locale;

/**
 * Who is given something.
 *
 * @param name the subject, the name of the team, or the role with its project
 */
public record Grantee(Kind kind, String name) {

    /** One caller, or all that are in a group. */
    public enum Kind {
        USER(""),
        TEAM("#member"),
        ROLE("#assignee");

        private final String all;

        Kind(String all) {
            this.all = all;
        }

        private String prefix() {
            return name().toLowerCase(Locale.ROOT) + ":";
        }
    }

    /**
     * Reads {@code user:<subject>}, {@code team:<name>} or {@code role:<project>/<name>}.
     *
     * @throws CatalogException code 13 for anything else
     */
    public static Grantee of(String text) {
        for (Kind kind : Kind.values()) {
            if (text.startsWith(kind.prefix())) {
                String name = text.substring(kind.prefix().length());
                if (kind == Kind.ROLE) {
                    return role(RoleName.of(name));
                }
                if (Subjects.isSubject(name)) {
                    return new Grantee(kind, name);
                }
            }
        }
        throw CatalogException.invalid(
                "The principal is neither a caller nor a team nor a role.",
                List.of(new FieldViolation(
                        "principal",
                        "must be user:<subject> or team:<name>, as GET /v1/me tells them, or role:<project>/<name>")));
    }

    /** All that are in a role. */
    static Grantee role(RoleName role) {
        return new Grantee(Kind.ROLE, role.toString());
    }

    /** The role it is; only where it is one. */
    public RoleName role() {
        return RoleName.of(name);
    }

    /** The grantee as the engine has it in facts. */
    String fact() {
        return kind.prefix() + name + kind.all;
    }

    /** The grantee as {@link #of} reads it. */
    public String text() {
        return kind.prefix() + name;
    }

    /** A fact's grantee as {@link #of} reads it. */
    static String told(String fact) {
        int of = fact.indexOf('#');
        return of < 0 ? fact : fact.substring(0, of);
    }
}
