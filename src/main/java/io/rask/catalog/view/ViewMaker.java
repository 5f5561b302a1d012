package io.rask.catalog.view;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.id.ObjectId;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a view reads its sources: what the maker may not read, the view does not read either.
 *
 * @param subject the name the permission model knows the maker by
 * @param means how the maker was identified, as {@link Principal.Means} spells it
 * @param teams the teams the maker's token told of
 */
record ViewMaker(String subject, Principal.Means means, List<String> teams) {
    ViewMaker {
        teams = List.copyOf(teams);
    }

    /** Null where the server asks nobody who they are. */
    static @Nullable ViewMaker of(Principal principal) {
        return principal.anonymous()
                ? null
                : new ViewMaker(principal.subject(), principal.means(), List.copyOf(principal.teams()));
    }

    Principal principal() {
        return new Principal(subject, means, new TreeSet<>(teams), null, null);
    }

    /**
     * Refuses unless the maker may read all sources.
     *
     * @param maker null where nobody is known, who may read nothing
     * @param job the work on the view
     * @throws io.rask.catalog.problem.CatalogException code 15 when the maker may not; code 17 when the engine does not say
     */
    static void requireReads(
            Authorization authorization, @Nullable ViewMaker maker, List<ObjectId> sources, String job) {
        if (!authorization.isOn()) {
            return;
        }
        Principal principal = maker == null ? Principal.ANONYMOUS : maker.principal();
        authorization.require(
                new Caller(principal, "worker", "job " + job, job),
                sources.stream()
                        .distinct()
                        .map(source -> new Question(principal, Relation.CAN_READ_DATA, AccessObject.table(source)))
                        .toList());
    }
}
