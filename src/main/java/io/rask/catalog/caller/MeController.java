package io.rask.catalog.caller;

import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Relation;
import io.rask.catalog.access.Standings;
import io.rask.catalog.access.Standings.Standing;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.wire.MeResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The door that tells callers who they are. */
@RestController
class MeController {
    private final ObjectProvider<Standings> standings;

    MeController(ObjectProvider<Standings> standings) {
        this.standings = standings;
    }

    @GetMapping("/v1/me")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.NOTHING)
    MeResponse me(RequestContext context) {
        Principal caller = context.principal();
        @Nullable Standings model = standings.getIfAvailable();
        @Nullable Standing standing = model == null ? null : model.of(caller);
        return new MeResponse(
                caller.subject(),
                caller.means().wireName(),
                caller.name(),
                caller.email(),
                List.copyOf(caller.teams()),
                standing == null ? null : standing.estateAdmin(),
                standing == null
                        ? null
                        : standing.projects().stream()
                                .map(role -> new MeResponse.ProjectRole(role.project(), role.role()))
                                .toList());
    }
}
