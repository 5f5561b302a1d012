package io.rask.catalog.view;

import io.rask.catalog.access.Principal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * On whose behalf a view reads its sources: what the maker may not read, the view does not read either. The teams that the maker's token
 * tells of are not kept: they are nobody else's business, and somebody who has left a team must not go on to read by it.
 *
 * @param subject the name the permission model knows the maker by
 * @param means how the maker was identified, as {@link Principal.Means} spells it
 */
record ViewMaker(String subject, Principal.Means means) {

    /** Null where the server asks nobody who they are. */
    static @Nullable ViewMaker of(Principal principal) {
        return principal.anonymous() ? null : new ViewMaker(principal.subject(), principal.means());
    }

    /**
     * Who reads the sources in a job: the maker, with the teams of the maker's own request where this job is the maker's, and else with none.
     *
     * @param maker null where nobody knows who made the view; then whoever asks reads
     * @param asker who asked for the job
     */
    static Principal reader(@Nullable ViewMaker maker, Optional<Principal> asker) {
        if (maker == null) {
            return asker.orElse(Principal.ANONYMOUS);
        }
        return asker.filter(principal -> principal.subject().equals(maker.subject()))
                .orElseGet(() -> Principal.of(maker.subject(), maker.means()));
    }
}
