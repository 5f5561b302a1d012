package io.rask.catalog.lifecycle;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which tables and namespaces are protected against deletion: one record each, which dies with its object. A record that does not
 * clearly say otherwise protects.
 */
@Component
public final class Protections {
    private static final String FOLDER = "_protection";
    private static final String LOCATION = "location";
    private static final String ENDING = "ending_in";
    /** From how many objects on one listing costs less than asking for each. */
    private static final int MANY = 8;

    private final Records records;
    private final Manifests manifests;

    public Protections(Records records, Manifests manifests) {
        this.manifests = manifests;
        this.records = records;
    }

    /**
     * Whether an object is protected.
     *
     * @param setBy who said so last, as identity named them; null when nobody ever did
     */
    public record Protection(boolean isProtected, @Nullable String setBy) {}

    /** Whether an object is protected; code 17 when the record cannot be read. */
    public Protection of(ManifestEntry object) {
        return records.readFresh(key(object))
                .filter(record -> isAbout(record, object))
                .map(record -> new Protection(protects(record, object), setBy(record)))
                .orElse(new Protection(false, null));
    }

    private static @Nullable String setBy(CatalogRecord record) {
        JsonNode by = record.content().path("set_by");
        return by.isString() ? by.asString() : null;
    }

    /**
     * Protects an object, or no longer. Whoever drops it without force after that is refused, also one who is at it already: the row
     * is written again, so that the commit of a drop that has not seen the protection does not hold.
     *
     * @return false when the object is gone
     */
    public boolean set(StorageProfile home, ManifestEntry object, boolean isProtected, String by) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("kind", kind(object)).put("id", object.id());
        content.put("protected", String.valueOf(isProtected)).put("set_by", by);
        if (object.location() != null) {
            content.put(LOCATION, object.location());
        }
        String written = records.put(key(object), content).writeId();
        boolean[] there = {true};
        if (isProtected) {
            manifests.commit(home.root(), view -> {
                Optional<ManifestEntry> row = view.find(object.id())
                        .filter(now ->
                                now.type().equals(object.type()) && Objects.equals(now.location(), object.location()));
                there[0] = row.isPresent();
                return row.map(now -> new ManifestChange.Plan(List.of(now), List.of(), List.of()))
                        .orElseGet(ManifestChange.Plan::nothing);
            });
        }
        if (!there[0]) {
            records.tombstone(key(object), now -> now.writeId().equals(written));
        }
        return there[0];
    }

    /** The first of the objects that is protected; code 17 when a record cannot be read. */
    Optional<ManifestEntry> firstProtected(Collection<ManifestEntry> objects) {
        if (objects.size() < MANY) {
            return objects.stream()
                    .filter(object -> records.readFresh(key(object))
                            .filter(record -> protects(record, object))
                            .isPresent())
                    .findFirst();
        }
        List<CatalogRecord> all = records.all(FOLDER, Records.Unreadable.FAIL);
        Map<RecordKey, CatalogRecord> byKey =
                all.stream().collect(Collectors.toMap(CatalogRecord::key, Function.identity()));
        return objects.stream()
                .filter(object -> {
                    CatalogRecord record = byKey.get(key(object));
                    return record != null && protects(record, object);
                })
                .findFirst();
    }

    /**
     * Says in the protections of tables that may lose their row which place they are about. So what a crash leaves of them does not
     * protect the next table of the name, which is at another.
     */
    public void tie(Collection<ManifestEntry> objects) {
        objects.forEach(this::tie);
    }

    /**
     * Says in the protections of namespaces that are about to lose their row in which place that is. They have no location that the
     * next of the name would not share, so what a crash leaves of them is taken away by {@link #clearEnded}.
     */
    void end(StorageProfile home, Collection<ManifestEntry> objects) {
        objects.stream()
                .filter(object -> object.restored().isNamespace())
                .forEach(namespace -> records.mutate(
                        key(namespace),
                        content -> content.put(ENDING, home.place().external())));
    }

    /**
     * Takes away what an interrupted drop has left of the protection of a namespace, before another of the name is made in the same
     * place. A record that anyone has written since it was looked at stays.
     */
    public void clearEnded(StorageProfile home, ObjectId namespace) {
        RecordKey key = key(ManifestEntry.namespace(namespace.stored(), null));
        Optional<CatalogRecord> left = records.read(key)
                .filter(record -> record.content()
                        .path(ENDING)
                        .asString("")
                        .equals(home.place().external()));
        if (left.isPresent()
                && manifests.view(home.root()).find(namespace.stored()).isEmpty()) {
            records.tombstone(key, now -> now.writeId().equals(left.get().writeId()));
        }
    }

    private Optional<CatalogRecord> tie(ManifestEntry object) {
        String location = object.location();
        Optional<CatalogRecord> record = records.read(key(object));
        if (location == null
                || record.isEmpty()
                || location.equals(record.get().content().path(LOCATION).asString(""))) {
            return record;
        }
        return records.mutate(key(object), content -> content.put(LOCATION, location));
    }

    /** Forgets the protection of objects that are gone. */
    public void forget(Collection<ManifestEntry> gone) {
        gone.forEach(object -> records.tombstone(key(object), any -> true));
    }

    /**
     * Gives an object's protection to the id it is about to get.
     *
     * @return whether the new id has a record because of this call, and so loses it again if the object keeps its id
     */
    public boolean copy(ManifestEntry from, ManifestEntry to) {
        return tie(from)
                .map(record -> records.create(key(to), record.content().put("id", to.id()))
                        instanceof Records.Creation.Created)
                .orElse(false);
    }

    /** Makes the protection of an id that an object has got exactly what the object had; whatever was left there dies. */
    public void moved(ManifestEntry from, ManifestEntry to) {
        records.read(key(from))
                .ifPresentOrElse(
                        record -> records.put(key(to), record.content().put("id", to.id())), () -> forget(List.of(to)));
        forget(List.of(from));
    }

    private static String kind(ManifestEntry object) {
        return object.restored().isNamespace() ? "namespace" : "table";
    }

    private static RecordKey key(ManifestEntry object) {
        return RecordKey.of(FOLDER, RecordKey.hashed(kind(object), object.id()));
    }

    /** A record that names a place is about what is there; one that names none is about whatever has the id. */
    private static boolean isAbout(CatalogRecord record, ManifestEntry object) {
        JsonNode location = record.content().path(LOCATION);
        return !location.isString() || location.asString().equals(object.location());
    }

    private static boolean protects(CatalogRecord record, ManifestEntry object) {
        if (!isAbout(record, object)) {
            return false;
        }
        JsonNode value = record.content().path("protected");
        return !(value.isBoolean() ? !value.asBoolean() : value.asString("").equals("false"));
    }
}
