package io.rask.catalog.hierarchy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Removal;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The records of roles. A role exists when it has a record that says the permission engine knows it, and none that it is ending: what is
 * cut off between record and engine is seen by nobody, and a repeat ends it.
 */
@Component
public final class RoleRegistry {
    private static final String READY = "ready";
    private static final String ENDING = "ending";

    private final Records records;

    public RoleRegistry(Records records) {
        this.records = records;
    }

    /**
     * Begins a role, which is there once it is {@link #ready}; a repeat gives the role as it is.
     *
     * @throws CatalogException code 14 while one of the name is being taken away
     */
    public Role begin(RoleName name, String createdBy) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("project", name.project());
        content.put("role", name.name());
        content.put("created_by", createdBy);
        Role role = Role.of(records.create(RecordKeys.role(name), content).record());
        if (role.ending()) {
            throw ending(name);
        }
        return role;
    }

    /**
     * Notes that the permission engine knows a role.
     *
     * @throws CatalogException code 14 when it was taken away meanwhile
     */
    public Role ready(RoleName name) {
        return records.mutate(RecordKeys.role(name), content -> {
                    if (content.path(ENDING).asBoolean(false)) {
                        throw ending(name);
                    }
                    return content.put(READY, true);
                })
                .map(Role::of)
                .orElseThrow(() -> ending(name));
    }

    /**
     * Takes back what {@link #begin} did; a role that came to be ready stays.
     *
     * @return whether there was one to take back
     */
    public boolean giveUp(RoleName name) {
        return records.tombstone(
                        RecordKeys.role(name), record -> !Role.of(record).ready())
                instanceof Removal.Removed;
    }

    public Optional<Role> find(RoleName name) {
        return records.readFresh(RecordKeys.role(name)).map(Role::of).filter(Role::isThere);
    }

    /** Whether anything is kept of the name, a role that is not ready or ending among it. */
    public boolean hasRecord(RoleName name) {
        return records.read(RecordKeys.role(name)).isPresent();
    }

    /** The role, or code 4. */
    public Role require(RoleName name) {
        return find(name).orElseThrow(() -> Absence.role(name));
    }

    /** The roles of a project; one whose record is corrupt is left out. */
    public List<Role> of(String project) {
        return records.all(RecordKeys.roles(project), Records.Unreadable.SKIP).stream()
                .map(Role::of)
                .filter(Role::isThere)
                .toList();
    }

    /** Every role that has a record in a project, the ones that come and go too, for a decision: an unreadable record is code 17. */
    public List<Role> known(String project) {
        return records.all(RecordKeys.roles(project), Records.Unreadable.FAIL).stream()
                .map(Role::of)
                .toList();
    }

    /**
     * Takes a role away. A repeat goes on with what was cut off.
     *
     * @param beforeRecord runs when nothing can be given to the role any more, before its record goes
     * @throws CatalogException code 4 when there is none, and what the step throws: the role stays as good as gone then
     */
    public void end(RoleName name, Runnable beforeRecord) {
        if (records.mutate(RecordKeys.role(name), content -> content.put(ENDING, true))
                .isEmpty()) {
            throw Absence.role(name);
        }
        beforeRecord.run();
        Removal removal = records.tombstone(
                RecordKeys.role(name), record -> Role.of(record).ending());
        if (removal instanceof Removal.Refused) {
            throw ending(name);
        }
    }

    private static CatalogException ending(RoleName name) {
        return HierarchyErrors.beingDeleted("role", name.toString());
    }
}
