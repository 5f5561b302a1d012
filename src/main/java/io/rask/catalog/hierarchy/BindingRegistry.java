package io.rask.catalog.hierarchy;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Creation;
import io.rask.catalog.record.Records.Removal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which top-level namespace lives in which warehouse. A binding leads to one warehouse for all its life. Until the permission engine knows
 * the namespace, its record says for whom it was made, so that a crash loses nobody's rights.
 */
@Component
public final class BindingRegistry {
    private static final String UNSEEDED = "unseeded";
    private static final String MAKER = "by";
    private static final String DONE = "done";

    private final Records records;

    public BindingRegistry(Records records) {
        this.records = records;
    }

    public Optional<Binding> find(String topLevel) {
        return records.readFresh(RecordKeys.binding(topLevel)).map(Binding::of);
    }

    /** What {@link #bind} found or did. */
    record Bound(Binding binding, boolean isNew) {}

    /**
     * Binds the namespace unless it is bound already, to whichever warehouse.
     *
     * @param maker for whom the permission engine is to be told of it; null where it knows it or nobody is told
     */
    Bound bind(String topLevel, Warehouse warehouse, @Nullable String maker) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("top_ns", topLevel);
        content.put("warehouse_id", warehouse.id());
        content.put("root_uri", warehouse.root());
        if (maker != null) {
            content.putObject(UNSEEDED).put(MAKER, maker);
        }
        Creation creation = records.create(RecordKeys.binding(topLevel), content);
        return new Bound(Binding.of(creation.record()), creation instanceof Creation.Created);
    }

    /**
     * What the permission engine was not told of a namespace.
     *
     * @param maker the subject that made it
     * @param done the stored id of the last object below it that is told of; empty before the first
     */
    public record Unseeded(String maker, String done) {}

    /** What the engine is still to be told of a namespace; empty when nothing. */
    public Optional<Unseeded> unseeded(String topLevel) {
        return records.readFresh(RecordKeys.binding(topLevel))
                .map(record -> record.content().path(UNSEEDED))
                .filter(JsonNode::isObject)
                .map(left -> new Unseeded(
                        left.path(MAKER).asString(""), left.path(DONE).asString("")));
    }

    /** Notes how far the engine is told of what lies below a namespace. */
    public void seededTo(String topLevel, String done) {
        records.mutate(RecordKeys.binding(topLevel), content -> {
            if (content.path(UNSEEDED) instanceof ObjectNode left) {
                left.put(DONE, done);
            }
            return content;
        });
    }

    /**
     * Notes that the engine knows all of it.
     *
     * @throws io.rask.catalog.problem.CatalogException code 14 when the namespace is being taken away meanwhile, or is gone
     */
    public void seeded(String topLevel) {
        Optional<CatalogRecord> noted = records.mutate(RecordKeys.binding(topLevel), content -> {
            if (content.path(Binding.SHUT).asBoolean(false)) {
                throw HierarchyErrors.beingUnbound(topLevel);
            }
            content.remove(UNSEEDED);
            return content;
        });
        if (noted.isEmpty()) {
            throw HierarchyErrors.beingUnbound(topLevel);
        }
    }

    /** Notes for whom a namespace is made whose binding was there before. */
    void unseeded(String topLevel, String warehouse, String maker) {
        records.mutate(RecordKeys.binding(topLevel), content -> {
            if (leadsTo(content, warehouse) && !isUnseeded(content, maker)) {
                content.putObject(UNSEEDED).put(MAKER, maker);
            }
            return content;
        });
    }

    private static boolean isUnseeded(ObjectNode content, String maker) {
        return content.path(UNSEEDED).path(MAKER).asString("").equals(maker);
    }

    /** Has the binding lead nobody to the warehouse any more, while the name stays taken; a repeat changes nothing. */
    void shut(String topLevel, String warehouse) {
        records.mutate(
                RecordKeys.binding(topLevel),
                content -> leadsTo(content, warehouse) ? content.put(Binding.SHUT, true) : content);
    }

    /** As {@link #shut}, if the engine still is to be told of the namespace for a maker, and nobody else shuts it; says whether it is. */
    boolean shutUnseeded(String topLevel, String warehouse, String maker) {
        boolean[] isShut = {false};
        records.mutate(RecordKeys.binding(topLevel), content -> {
            isShut[0] = leadsTo(content, warehouse)
                    && isUnseeded(content, maker)
                    && !content.path(Binding.SHUT).asBoolean(false);
            return isShut[0] ? content.put(Binding.SHUT, true) : content;
        });
        return isShut[0];
    }

    /** Takes {@link #shut} back. */
    void open(String topLevel, String warehouse) {
        records.mutate(RecordKeys.binding(topLevel), content -> {
            if (leadsTo(content, warehouse)) {
                content.remove(Binding.SHUT);
            }
            return content;
        });
    }

    private static boolean leadsTo(ObjectNode content, String warehouse) {
        return content.path("warehouse_id").asString("").equals(warehouse);
    }

    /** Removes the binding unless it is shut; gives it, to be put back. */
    Optional<CatalogRecord> take(String topLevel, String warehouse) {
        Removal removal = records.tombstone(RecordKeys.binding(topLevel), record -> {
            Binding now = Binding.of(record);
            return now.warehouse().equals(warehouse) && !now.isShut();
        });
        return removal instanceof Removal.Removed removed ? Optional.of(removed.last()) : Optional.empty();
    }

    /** Binds a namespace as it was bound before, unless it is bound by now. */
    void putBack(String topLevel, CatalogRecord before) {
        records.create(RecordKeys.binding(topLevel), before.content().deepCopy());
    }

    /** Removes the binding if it still leads to the warehouse. */
    void unbind(String topLevel, String warehouse) {
        records.tombstone(
                RecordKeys.binding(topLevel),
                record -> Binding.of(record).warehouse().equals(warehouse));
    }

    /** Every binding; an unreadable one is code 17, because a missing namespace must not look like a free name. */
    public List<Binding> all() {
        return records.all(RecordKeys.BINDINGS, Records.Unreadable.FAIL).stream()
                .map(Binding::of)
                .toList();
    }

    /** The top-level namespaces bound to a warehouse, sorted; an unreadable binding, whosever, is code 17. */
    public List<String> namespacesOf(String warehouse) {
        return all().stream()
                .filter(binding -> binding.warehouse().equals(warehouse))
                .map(Binding::namespace)
                .sorted()
                .toList();
    }
}
