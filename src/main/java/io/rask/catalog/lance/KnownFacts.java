package io.rask.catalog.lance;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.platform.CatalogProperties;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * What the latest versions of many tables say of themselves. An open table takes too much memory for all of them to stay open, and
 * opening one takes long; so what was told once is kept, and told again while a look at the store finds the very manifest file
 * that it was read from.
 */
@Component
public final class KnownFacts {
    private static final int NODE = 48;

    private final TableInspector inspector;
    private final DatasetHandles handles;
    private final NewestManifests newest;
    private final Cache<Key, Known> known;

    private record Key(TableLocation location, SchemaDialect dialect) {}

    private record Known(NewestManifests.Stamp stamp, TableFacts facts) {
        int bytes() {
            return 4 * NODE + size(facts.schema()) + size(facts.metadata());
        }
    }

    KnownFacts(TableInspector inspector, DatasetHandles handles, NewestManifests newest, CatalogProperties properties) {
        this.inspector = inspector;
        this.handles = handles;
        this.newest = newest;
        this.known = Caffeine.newBuilder()
                .maximumWeight(properties.limits().factsCache().toBytes())
                .weigher((Key key, Known value) -> value.bytes())
                .build();
    }

    /** As {@link TableInspector#inspect}. */
    public Optional<TableFacts> inspect(TableLocation location, TableVersion wanted, SchemaDialect dialect) {
        return wanted.equals(TableVersion.LATEST) && !handles.isOpen(location)
                ? latest(location, dialect)
                : inspector.inspect(location, wanted, dialect);
    }

    private Optional<TableFacts> latest(TableLocation location, SchemaDialect dialect) {
        Optional<NewestManifests.Stamp> stamp = newest.of(location);
        Key key = new Key(location, dialect);
        Known before = stamp.isEmpty() ? null : known.getIfPresent(key);
        if (before != null && before.stamp().equals(stamp.get())) {
            return Optional.of(before.facts());
        }
        Optional<TableFacts> read = inspector.inspect(location, TableVersion.LATEST, dialect);
        // A file that came after the look never has the stamp again that the look has found.
        stamp.filter(seen -> read.isPresent() && read.get().version() == seen.version())
                .ifPresent(seen -> known.put(key, new Known(seen, read.get())));
        return read;
    }

    /** Roughly how many bytes a tree of maps, lists and texts takes. */
    private static int size(@Nullable Object tree) {
        int inside = switch (tree) {
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToInt(entry -> NODE + size(entry.getKey()) + size(entry.getValue()))
                        .sum();
            case Collection<?> list -> list.stream().mapToInt(KnownFacts::size).sum();
            case String text -> text.length();
            case null, default -> 0;
        };
        return NODE + inside;
    }
}
