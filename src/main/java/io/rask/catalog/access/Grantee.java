package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;

/**
 * Who is given something.
 *
 * @param isTeam whether it is the members of a team, and not one caller
 * @param name the subject, or the name of the team
 */
public record Grantee(boolean isTeam, String name) {
    private static final String USER = "user:";
    private static final String TEAM = "team:";
    private static final String MEMBERS = "#member";

    /**
     * Reads {@code user:<subject>} or {@code team:<name>}.
     *
     * @throws CatalogException code 13 for anything else
     */
    public static Grantee of(String text) {
        boolean isTeam = text.startsWith(TEAM);
        String name = isTeam || text.startsWith(USER) ? text.substring(USER.length()) : "";
        if (!Subjects.isSubject(name)) {
            throw CatalogException.invalid(
                    "The principal is neither a caller nor a team.",
                    List.of(new FieldViolation(
                            "principal", "must be user:<subject> or team:<name>, as GET /v1/me tells them")));
        }
        return new Grantee(isTeam, name);
    }

    /** The grantee as the engine has it in facts. */
    String fact() {
        return isTeam ? ObjectNames.team(name) + MEMBERS : ObjectNames.user(name);
    }

    /** A fact's grantee as {@link #of} reads it; other kinds stay as the engine has them. */
    static String told(String fact) {
        return fact.endsWith(MEMBERS) ? fact.substring(0, fact.length() - MEMBERS.length()) : fact;
    }
}
