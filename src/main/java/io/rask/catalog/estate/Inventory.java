package io.rask.catalog.estate;

import io.rask.catalog.access.AccessObject;
import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.access.Edges;
import io.rask.catalog.access.ObjectNames;
import io.rask.catalog.access.Tuple;
import io.rask.catalog.storage.StorageProfile;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is there, by the engine's names: what the registries and the manifests say, and what such things lie in. So a name that
 * was hashed is found too.
 */
final class Inventory {
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, StorageProfile> homes = new HashMap<>();
    private final Map<Kind, String> unread = new EnumMap<>(Kind.class);
    private @Nullable StorageProfile single;

    /**
     * Something that is there.
     *
     * @param parent what it must be tied to; null for what comes, goes or is not reached, of which nothing is asked
     */
    record Entry(AccessObject object, @Nullable AccessObject parent) {
        /** The fact that ties it. */
        Optional<Tuple> edge() {
            return parent == null ? Optional.empty() : Optional.of(Edges.of(object, parent));
        }
    }

    /** Adds what must be tied; what it lies in is there too. */
    void add(AccessObject object, AccessObject parent) {
        entries.put(ObjectNames.of(object), new Entry(object, parent));
        addLoose(parent);
    }

    /** Adds what is there and need not be tied, unless it is known to. */
    void addLoose(AccessObject object) {
        entries.putIfAbsent(ObjectNames.of(object), new Entry(object, null));
    }

    /** Notes that not everything of a kind is known. */
    void unread(Kind kind, String reason) {
        unread.putIfAbsent(kind, reason);
    }

    /** Notes in which root the top-level namespace of a name lies. */
    void bound(String topLevel, StorageProfile home) {
        homes.put(topLevel, home);
    }

    /** Notes that all top-level namespaces lie in one root. */
    void single(StorageProfile home) {
        single = home;
    }

    Optional<Entry> find(String name) {
        return Optional.ofNullable(entries.get(name));
    }

    Map<String, Entry> entries() {
        return entries;
    }

    /** Why not everything of a kind is known; empty when it is. */
    Optional<String> unread(Kind kind) {
        return Optional.ofNullable(unread.get(kind));
    }

    /** The root in which a name of this top-level namespace would be given. */
    Optional<StorageProfile> home(String topLevel) {
        return single != null ? Optional.of(single) : Optional.ofNullable(homes.get(topLevel));
    }
}
