package io.rask.catalog.lifecycle;

import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.StorageProfile;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Places whose table was taken out of the catalog and whose bytes are still there, and whose they were. Of those that were deregistered
 * the bytes stay on purpose: without the record, they would look like what a drop has not yet deleted.
 */
@Component
public final class KeptBytes {
    private static final String FOLDER = "_kept";
    private static final int WIDTH = 16;
    private static final String TABLE = "table";
    private static final String BY = "by";
    private static final String LEFT = "left_by_drop";
    private static final String NAMESPACE_GONE = "namespace_gone";
    private static final String TOKEN = "token";

    private final Records records;

    public KeptBytes(Records records) {
        this.records = records;
    }

    /**
     * What is known of bytes that no table leads to.
     *
     * @param table the stored id of the table they were of; null where that was not written down
     * @param by who took the table out and kept the bytes, as identity named them; null where nobody did
     * @param isLeft whether they were to go with their table and something stood against it, rather than kept on purpose
     * @param namespaceGone whether the namespace the table lay in has come to its end; one of that name is another
     * @param token what whoever wrote the mark knows it by, on whatever server; null where nobody will ask
     */
    public record Mark(
            @Nullable String table,
            @Nullable String by,
            boolean isLeft,
            boolean namespaceGone,
            @Nullable String token,
            String writeId) {
        private static Mark of(CatalogRecord record) {
            ObjectNode content = record.content();
            return new Mark(
                    text(content, TABLE),
                    text(content, BY),
                    content.path(LEFT).asBoolean(false),
                    content.path(NAMESPACE_GONE).asBoolean(false),
                    text(content, TOKEN),
                    record.writeId());
        }

        private static @Nullable String text(ObjectNode content, String field) {
            JsonNode value = content.path(field);
            return value.isString() ? value.asString() : null;
        }
    }

    /**
     * Marks a place whose bytes are to stay; to be called before its table leaves the catalog.
     *
     * @param table the stored id of the table
     * @param by who takes it out; null where that is not known
     */
    public Mark keep(StorageProfile home, String location, String table, @Nullable String by) {
        return keep(home, location, table, by, null);
    }

    /**
     * As {@link #keep(StorageProfile, String, String, String)}, for one who may have to find his own mark after a crash.
     *
     * @param token what he knows it by
     */
    public Mark keep(StorageProfile home, String location, String table, @Nullable String by, @Nullable String token) {
        return write(home, location, table, by, false, token);
    }

    /** Marks a place whose bytes stay although their table was dropped, because something reads them. */
    void leave(StorageProfile home, String location, String table) {
        write(home, location, table, null, true, null);
    }

    private Mark write(
            StorageProfile home,
            String location,
            @Nullable String table,
            @Nullable String by,
            boolean left,
            @Nullable String token) {
        ObjectNode content = JsonNodeFactory.instance.objectNode();
        content.put("location", place(home, location));
        if (table != null) {
            content.put(TABLE, table);
        }
        if (by != null) {
            content.put(BY, by);
        }
        if (left) {
            content.put(LEFT, true);
        }
        if (token != null) {
            content.put(TOKEN, token);
        }
        return Mark.of(records.put(key(home, location), content));
    }

    /** The mark of exactly this place; code 17 when it cannot be read. */
    public Optional<Mark> find(StorageProfile home, String location) {
        return records.readFresh(key(home, location)).map(Mark::of);
    }

    /** The marks of several places, by place. */
    Map<String, Mark> find(StorageProfile home, Collection<String> locations) {
        Map<String, Mark> marks = new ConcurrentHashMap<>();
        Fanout.map(locations, WIDTH, location -> {
            find(home, location).ifPresent(mark -> marks.put(location, mark));
            return location;
        });
        return marks;
    }

    /** Forgets a place whose table is registered, or dropped for good, unless it was marked again since it was looked at. */
    public void forget(StorageProfile home, String location, Mark seen) {
        records.tombstone(key(home, location), now -> now.writeId().equals(seen.writeId()));
    }

    /**
     * Says of all bytes whose tables lay directly in these namespaces that the namespace has come to its end. One mark that cannot be
     * read is no reason for no namespace to end: nobody can register its bytes.
     */
    void end(Collection<String> namespaces) {
        if (namespaces.isEmpty()) {
            return;
        }
        Set<String> gone = Set.copyOf(namespaces);
        Set<RecordKey> orphaned = records.all(FOLDER, Records.Unreadable.SKIP).stream()
                .filter(record -> lay(record, gone))
                .map(CatalogRecord::key)
                .collect(Collectors.toSet());
        orphaned.forEach(key -> records.mutate(key, content -> content.put(NAMESPACE_GONE, true)));
    }

    private static boolean lay(CatalogRecord record, Set<String> namespaces) {
        String table = Mark.of(record).table();
        return table != null
                && namespaces.contains(ManifestEntry.table(table, "", null).parent());
    }

    boolean isKept(StorageProfile home, String location) {
        return find(home, location).filter(mark -> !mark.isLeft()).isPresent();
    }

    private static RecordKey key(StorageProfile home, String location) {
        return RecordKey.of(FOLDER, RecordKey.hashed("location", place(home, location)));
    }

    private static String place(StorageProfile home, String location) {
        return home.root().resolve(location);
    }
}
