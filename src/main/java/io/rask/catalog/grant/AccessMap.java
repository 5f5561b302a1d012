package io.rask.catalog.grant;

import io.rask.catalog.access.AccessGraphs;
import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Grantee;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.wire.AccessGraphRequest;
import io.rask.catalog.wire.AccessGraphResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** Tells how rights come to be on an object, as far as the caller may know what was given on each thing that it lies in. */
@Component
final class AccessMap {
    private final ObjectProvider<AccessGraphs> graphs;
    private final GovernedObjects objects;
    private final Ancestry ancestry;
    private final Authorization authorization;

    AccessMap(
            ObjectProvider<AccessGraphs> graphs,
            GovernedObjects objects,
            Ancestry ancestry,
            Authorization authorization) {
        this.graphs = graphs;
        this.objects = objects;
        this.ancestry = ancestry;
        this.authorization = authorization;
    }

    /** @throws CatalogException code 0 without an engine, 13 for a principal that is none, and what says that the object is not there */
    AccessGraphResponse graph(AccessObject object, AccessGraphRequest body, Caller caller) {
        AccessGraphs engine = EngineNeeded.from(graphs);
        objects.require(object);
        String principal = body.principal();
        return told(engine.of(levels(object, caller), principal == null ? null : Grantee.of(principal)));
    }

    /** The door has asked for the object; what it lies in is asked for at once. */
    private List<AccessGraphs.Level> levels(AccessObject object, Caller caller) {
        List<AccessObject> lineage = ancestry.lineage(object);
        List<Boolean> verdicts = authorization.verdicts(
                caller,
                lineage.stream()
                        .map(each -> new Question(caller.principal(), Relation.CAN_READ_ASSIGNMENTS, each))
                        .toList(),
                List.of());
        List<AccessGraphs.Level> levels = new ArrayList<>();
        levels.add(new AccessGraphs.Level(object, true));
        IntStream.range(0, lineage.size())
                .forEach(at -> levels.add(new AccessGraphs.Level(lineage.get(at), verdicts.get(at))));
        return levels;
    }

    private static AccessGraphResponse told(AccessGraphs.Graph graph) {
        return new AccessGraphResponse(
                graph.nodes().stream()
                        .map(node -> new AccessGraphResponse.Node(node.id(), node.kind(), node.isTold() ? null : true))
                        .toList(),
                graph.edges().stream().map(AccessMap::told).toList(),
                graph.truncated());
    }

    private static AccessGraphResponse.Edge told(AccessGraphs.Edge edge) {
        Instant end = edge.expiresAt();
        return new AccessGraphResponse.Edge(
                edge.from(), edge.to(), edge.relation(), end == null ? null : end.toString());
    }
}
