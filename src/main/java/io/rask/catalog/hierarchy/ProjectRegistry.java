package io.rask.catalog.hierarchy;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Removal;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The records of projects. A project exists exactly when it has a record. */
@Component
public final class ProjectRegistry {
    private static final String PROTECTED = "protected";
    private static final String DELETING = "deleting";

    private final Records records;

    public ProjectRegistry(Records records) {
        this.records = records;
    }

    /** Makes a project; a repeat changes nothing and gives the project as it is. */
    public Project create(String id, String createdBy) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("id", id);
        content.put("created_by", createdBy);
        content.put("protected", false);
        Records.Creation creation = records.create(RecordKeys.project(id), content);
        Project project = Project.of(creation.record());
        if (project.deleting()) {
            throw HierarchyErrors.beingDeleted("project", id);
        }
        if (creation instanceof Records.Creation.Created) {
            Announcements.add(EventType.PROJECT_CREATED, id);
        }
        return project;
    }

    public Optional<Project> find(String id) {
        return records.readFresh(RecordKeys.project(id)).map(Project::of);
    }

    /** Whether the subject made it and was not told to the permission engine as its owner. */
    public boolean awaitsOwner(String id, String subject) {
        return records.read(RecordKeys.project(id))
                .filter(record -> !record.content().path("owned").asBoolean(false))
                .map(record -> record.content().path("created_by").asString(""))
                .filter(subject::equals)
                .isPresent();
    }

    /** Notes that it was. */
    public void hasOwner(String id) {
        records.mutate(RecordKeys.project(id), content -> content.put("owned", true));
    }

    /** The project, or code 4. */
    public Project require(String id) {
        return find(id).orElseThrow(() -> Absence.project(id));
    }

    /** The project, if something new may still be put into it; code 4 or 14 otherwise. */
    public Project requireOpen(String id) {
        Project project = require(id);
        if (project.deleting()) {
            throw HierarchyErrors.beingDeleted("project", id);
        }
        return project;
    }

    /** Every project; one whose record is corrupt is left out. */
    public List<Project> all() {
        return records.all(RecordKeys.PROJECTS, Records.Unreadable.SKIP).stream()
                .map(Project::of)
                .toList();
    }

    /** Every project, for a decision: an unreadable record is code 17. */
    public List<Project> known() {
        return records.all(RecordKeys.PROJECTS, Records.Unreadable.FAIL).stream()
                .map(Project::of)
                .toList();
    }

    /** Protects a project, or no longer; code 4 when there is none, 14 when it is being deleted. */
    public Project setProtected(String id, boolean isProtected, String by) {
        return records.mutate(RecordKeys.project(id), content -> {
                    if (isDeleting(content)) {
                        throw HierarchyErrors.beingDeleted("project", id);
                    }
                    return content.put(PROTECTED, isProtected).put("protection_set_by", by);
                })
                .map(Project::of)
                .orElseThrow(() -> Absence.project(id));
    }

    /**
     * Refuses a deletion as {@link #delete} would.
     *
     * @param force lifts the protection and nothing else
     * @param inside the ids of the warehouses it holds now
     * @throws CatalogException code 3 when it is protected or holds warehouses, 4 when there is none
     */
    public void requireDeletable(String id, boolean force, Supplier<List<String>> inside) {
        Project project = require(id);
        if (project.isProtected() && !force) {
            throw HierarchyErrors.isProtected("project", id);
        }
        refuseUnlessEmpty(id, inside);
    }

    /**
     * Deletes an empty project. A repeat goes on with a deletion that was begun.
     *
     * @param force lifts the protection and nothing else
     * @param by who asks, as identity named them; from the step before the record on he may go on although he holds no right on it
     * @param inside the ids of the warehouses it holds now
     * @param beforeRecord runs when nothing new can come into it any more, before its record goes
     * @throws CatalogException as {@link #requireDeletable}, and what the step before throws: the deletion stays begun then
     */
    public void delete(String id, boolean force, String by, Supplier<List<String>> inside, Runnable beforeRecord) {
        requireDeletable(id, force, inside);
        // From this mark on nothing new comes in; what came in before it shows in the second look.
        boolean isOurs = beginDeletion(id, force);
        Deletion.lookAgain(isOurs, () -> refuseUnlessEmpty(id, inside), () -> giveUpDeletion(id));
        endRights(id, by);
        beforeRecord.run();
        Removal removal = records.tombstone(
                RecordKeys.project(id), record -> Project.of(record).deleting());
        if (removal instanceof Removal.Refused) {
            throw HierarchyErrors.beingDeleted("project", id);
        }
        Announcements.add(EventType.PROJECT_DELETED, id);
    }

    /** Marks a project as being deleted; says whether it was not before. */
    private boolean beginDeletion(String id, boolean force) {
        boolean[] begun = {false};
        records.mutate(RecordKeys.project(id), content -> {
            // A project may have come to be protected since the look.
            if (content.path(PROTECTED).asBoolean(false) && !force) {
                throw HierarchyErrors.isProtected("project", id);
            }
            begun[0] = !isDeleting(content);
            return content.put(DELETING, true);
        });
        return begun[0];
    }

    private void giveUpDeletion(String id) {
        records.mutate(RecordKeys.project(id), content -> {
            if (!Deletion.isPastReturn(content)) {
                content.remove(DELETING);
            }
            return content;
        });
    }

    private void endRights(String id, String by) {
        records.mutate(RecordKeys.project(id), content -> {
            if (!isDeleting(content)) {
                throw HierarchyErrors.givenUp("project", id);
            }
            return Deletion.end(content, by);
        });
    }

    private static boolean isDeleting(ObjectNode content) {
        return content.path(DELETING).asBoolean(false);
    }

    /** Who has taken the rights on a project back in order to delete it; empty where nobody has. */
    public Optional<String> endedBy(String id) {
        return records.readFresh(RecordKeys.project(id))
                .filter(record -> Project.of(record).deleting())
                .flatMap(Deletion::endedBy);
    }

    private static void refuseUnlessEmpty(String id, Supplier<List<String>> inside) {
        List<String> warehouses = inside.get();
        if (!warehouses.isEmpty()) {
            throw HierarchyErrors.holds("project", id, "warehouses", warehouses);
        }
    }
}
