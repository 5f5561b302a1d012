package io.rask.catalog.lifecycle;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ManifestChange;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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

    /** The records of objects as they were found: protected or not. */
    public record Found(Map<ManifestEntry, CatalogRecord> records) {
        /** What was found of some of the objects. */
        Found of(Collection<ManifestEntry> some) {
            Map<ManifestEntry, CatalogRecord> theirs = new LinkedHashMap<>(records);
            theirs.keySet().retainAll(Set.copyOf(some));
            return new Found(theirs);
        }

        /** What was found, where some of it was looked for again. */
        Found with(Collection<ManifestEntry> again, Found now) {
            Map<ManifestEntry, CatalogRecord> all = new LinkedHashMap<>(records);
            again.forEach(all::remove);
            all.putAll(now.records);
            return new Found(all);
        }

        Optional<ManifestEntry> firstProtected() {
            return records.entrySet().stream()
                    .filter(found -> protects(found.getValue(), found.getKey()))
                    .map(Map.Entry::getKey)
                    .findFirst();
        }
    }

    /** The records of objects; code 17 when one cannot be read. */
    public Found find(Collection<ManifestEntry> objects) {
        Map<RecordKey, CatalogRecord> known = objects.size() < MANY
                ? objects.stream()
                        .flatMap(object -> records.readFresh(key(object)).stream())
                        .collect(Collectors.toMap(CatalogRecord::key, Function.identity(), (one, other) -> one))
                : records.all(FOLDER, Records.Unreadable.FAIL).stream()
                        .collect(Collectors.toMap(CatalogRecord::key, Function.identity()));
        Map<ManifestEntry, CatalogRecord> found = new LinkedHashMap<>();
        objects.forEach(
                object -> Optional.ofNullable(known.get(key(object))).ifPresent(record -> found.put(object, record)));
        return new Found(found);
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

    Optional<CatalogRecord> tie(ManifestEntry object) {
        String location = object.location();
        Optional<CatalogRecord> record = records.read(key(object));
        if (location == null
                || record.isEmpty()
                || location.equals(record.get().content().path(LOCATION).asString(""))) {
            return record;
        }
        return records.mutate(key(object), content -> content.put(LOCATION, location));
    }

    /**
     * Forgets the protection of objects that are gone, as it was found while nobody else could have their names. A record that was
     * written since is that of the next of the name.
     */
    public void forget(Found gone) {
        gone.records()
                .values()
                .forEach(seen ->
                        records.tombstone(seen.key(), now -> now.writeId().equals(seen.writeId())));
    }

    /**
     * Gives the protection of a table to the name it is about to get.
     *
     * @param view where the row was found
     * @param to the stored id of the new name, which was seen to be free
     */
    public ProtectionMove move(StorageProfile home, ManifestView view, ManifestEntry from, String to) {
        return new ProtectionMove(this, records, manifests, home, view, from, to);
    }

    /** Whether a record says of which place it is, and it is that of the object. */
    static boolean isTied(CatalogRecord record, ManifestEntry object) {
        return record.content().path(LOCATION).asString("").equals(String.valueOf(object.location()));
    }

    private static String kind(ManifestEntry object) {
        return object.restored().isNamespace() ? "namespace" : "table";
    }

    static RecordKey key(ManifestEntry object) {
        return RecordKey.of(FOLDER, RecordKey.hashed(kind(object), object.id()));
    }

    /** A record that names a place is about what is there; one that names none is about whatever has the id. */
    static boolean isAbout(CatalogRecord record, ManifestEntry object) {
        JsonNode location = record.content().path(LOCATION);
        return !location.isString() || location.asString().equals(object.location());
    }

    static boolean protects(CatalogRecord record, ManifestEntry object) {
        if (!isAbout(record, object)) {
            return false;
        }
        JsonNode value = record.content().path("protected");
        return !(value.isBoolean() ? !value.asBoolean() : value.asString("").equals("false"));
    }
}
