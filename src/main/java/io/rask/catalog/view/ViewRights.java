package io.rask.catalog.view;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.Ancestry;
import io.rask.catalog.access.Authorization;
import io.rask.catalog.access.Caller;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Question;
import io.rask.catalog.access.Relation;
import io.rask.catalog.hierarchy.Absence;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.table.Tables;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * Whether somebody may read what a view's query names. It is asked before anybody looks whether the tables are there: that one is absent
 * learns only who may read what it would lie in, as at the doors of tables.
 */
@Component
final class ViewRights {
    private final Authorization authorization;
    private final Ancestry ancestry;
    private final Tables tables;

    ViewRights(Authorization authorization, Ancestry ancestry, Tables tables) {
        this.authorization = authorization;
        this.ancestry = ancestry;
        this.tables = tables;
    }

    /**
     * Refuses unless all sources may be read.
     *
     * @param job the work on the view
     * @throws io.rask.catalog.problem.CatalogException code 15 when one may not; code 4 where that is so because there is none; code 17
     *     when the engine does not say
     */
    void require(Principal reader, List<ObjectId> sources, String job) {
        if (!authorization.isOn()) {
            return;
        }
        List<ObjectId> ids = sources.stream().distinct().toList();
        List<Question> needed = ids.stream()
                .map(id -> new Question(reader, Relation.CAN_READ_DATA, AccessObject.table(id)))
                .toList();
        List<Question> revealing = ids.stream()
                .map(id -> new Question(reader, Relation.CAN_READ_DATA, holder(id)))
                .toList();
        List<Boolean> verdicts =
                authorization.verdicts(new Caller(reader, "worker", "job " + job, job), needed, revealing);
        for (int at = 0; at < ids.size(); at++) {
            if (!verdicts.get(at)) {
                boolean mayKnow = verdicts.get(ids.size() + at);
                throw mayKnow && tables.find(ids.get(at)).isEmpty()
                        ? Absence.table(ids.get(at))
                        : Authorization.denied(needed.get(at));
            }
        }
    }

    private AccessObject holder(ObjectId id) {
        return ancestry.parent(id).orElse(AccessObject.ESTATE);
    }
}
