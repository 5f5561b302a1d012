package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.apache.arrow.vector.types.pojo.Field;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.operation.UpdateConfig;
import org.lance.operation.UpdateMap;
import org.springframework.stereotype.Component;

/**
 * Changes the metadata of a table's schema and of its fields. A change names only the keys it is about, so it goes well together with
 * what others write at the same time.
 */
@Component
public final class TableMetadata {
    private static final int ATTEMPTS = 20;
    private static final long LONGEST_PAUSE_NANOS = 50_000_000;
    private static final int MOST_KEYS = 1_000;
    private static final int LONGEST_KEY = 512;
    private static final int LONGEST_VALUE = 1 << 16;
    private static final int LARGEST = 1 << 20;
    private static final String LINEAGE = "lineage.";

    private final NativeCalls calls;
    private final DatasetHandles handles;
    private final RowCommits commits;

    TableMetadata(NativeCalls calls, DatasetHandles handles, RowCommits commits) {
        this.calls = calls;
        this.handles = handles;
        this.commits = commits;
    }

    /**
     * What came of a change.
     *
     * @param version the version that holds it; the latest one when nothing was to change
     * @param metadata what the changed parts have now: by path of the field, or by the empty text for the schema
     */
    public record Outcome(long version, Map<String, Map<String, String>> metadata) {}

    /** What is to be changed, given the table as it is. */
    interface Plan {
        /** Nothing when all is that way already. */
        Optional<UpdateConfig> of(Dataset table, Map<String, Map<String, String>> after);
    }

    /**
     * Merges keys into the metadata of the schema.
     *
     * @param branch null or {@code main} for the main branch
     * @param updates new values by key; null takes the key away
     * @throws CatalogException code 13 for a key that is the catalog's or the engine's, or too much; 22 for an unknown branch, 19 when
     *     the table is only declared, 14 when other writers were faster each time
     */
    public Outcome updateSchema(
            TableLocation location, @Nullable String branch, Map<String, @Nullable String> updates) {
        check(updates);
        for (String key : updates.keySet()) {
            if (key.startsWith(LINEAGE)) {
                throw reserved(key);
            }
        }
        return change(location, branch, (table, after) -> {
            Map<String, String> before =
                    Objects.requireNonNullElse(table.getSchema().getCustomMetadata(), Map.of());
            Map<String, String> merged = merged(before, updates);
            after.put("", merged);
            return merged.equals(before)
                    ? Optional.empty()
                    : Optional.of(UpdateConfig.builder()
                            .schemaMetadataUpdates(map(updates))
                            .build());
        });
    }

    /**
     * Changes the metadata of fields, all in one commit.
     *
     * @throws CatalogException as {@link #updateSchema}, and code 12 for a path that leads nowhere
     */
    public Outcome updateFields(TableLocation location, @Nullable String branch, List<FieldUpdate> updates) {
        if (updates.isEmpty() || updates.size() > MOST_KEYS) {
            throw CatalogException.invalid("Between 1 and " + MOST_KEYS + " fields can be changed at a time.");
        }
        updates.forEach(update -> check(update.metadata()));
        return change(location, branch, (table, after) -> {
            Map<Integer, UpdateMap> changes = new LinkedHashMap<>();
            for (FieldUpdate update : updates) {
                FieldPath path = FieldPath.of(update.path());
                Field field = field(table, path);
                Map<String, String> before = ColumnIds.without(field).getMetadata();
                Map<String, @Nullable String> change = change(before, update);
                Map<String, String> merged = merged(before, change);
                if (after.put(path.canonical(), merged) != null) {
                    throw CatalogException.invalid("Field '" + path.canonical() + "' is changed twice.");
                }
                if (!merged.equals(before)) {
                    changes.put(ColumnIds.id(field), map(change));
                }
            }
            return changes.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            UpdateConfig.builder().fieldMetadataUpdates(changes).build());
        });
    }

    private static Field field(Dataset table, FieldPath path) {
        path.in(table.getSchema());
        List<Field> fields = ColumnIds.of(table);
        Field found = null;
        for (String segment : path.segments()) {
            found = fields.stream()
                    .filter(field -> field.getName().equals(segment))
                    .findFirst()
                    .orElseThrow();
            fields = found.getChildren();
        }
        if (found == null || ColumnIds.id(found) < 0) {
            throw CatalogException.invalid("The elements of a vector have no metadata of their own.");
        }
        return found;
    }

    /** A replacement as a merge: every key it does not name is taken away, but for those that are nobody's to change. */
    private static Map<String, @Nullable String> change(Map<String, String> before, FieldUpdate update) {
        Map<String, @Nullable String> change = new HashMap<>(update.metadata());
        if (update.replace()) {
            before.keySet().stream()
                    .filter(key -> !isReserved(key) && !change.containsKey(key))
                    .forEach(key -> change.put(key, null));
        }
        return change;
    }

    private static Map<String, String> merged(Map<String, String> before, Map<String, @Nullable String> updates) {
        Map<String, String> merged = new TreeMap<>(before);
        updates.forEach((key, value) -> {
            if (value == null) {
                merged.remove(key);
            } else {
                merged.put(key, value);
            }
        });
        long size = merged.entrySet().stream()
                .mapToLong(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        if (size > LARGEST) {
            throw CatalogException.invalid("The metadata would be larger than " + LARGEST + " characters.");
        }
        return merged;
    }

    static UpdateMap map(Map<String, @Nullable String> updates) {
        Map<String, String> entries = new HashMap<>();
        updates.forEach(entries::put);
        return UpdateMap.builder().updates(entries).replace(false).build();
    }

    /** @throws CatalogException code 13 for keys and values that a client may not store */
    static void check(Map<String, ? extends @Nullable String> updates) {
        if (updates.size() > MOST_KEYS) {
            throw CatalogException.invalid("More than " + MOST_KEYS + " keys are changed at a time.");
        }
        updates.forEach((key, value) -> {
            if (key.isEmpty() || key.length() > LONGEST_KEY || !isText(key)) {
                throw CatalogException.invalid("A key of metadata has 1 to " + LONGEST_KEY + " characters.");
            }
            if (isReserved(key)) {
                throw reserved(key);
            }
            if (value != null && (value.length() > LONGEST_VALUE || !isText(value))) {
                throw CatalogException.invalid("The value of '" + key + "' is longer than " + LONGEST_VALUE
                        + " characters, or holds one that cannot be stored.");
            }
        });
    }

    /** Whether a key is nobody's to give but the catalog's and the engine's. */
    static boolean isReserved(String key) {
        return CatalogKeys.isReserved(key) || ColumnBindings.isEngines(key);
    }

    private static CatalogException reserved(String key) {
        return CatalogException.invalid("The key '" + key + "' of metadata is reserved for the system.");
    }

    /** Native code takes whole characters only, and no zero. */
    private static boolean isText(String text) {
        return text.codePoints().noneMatch(c -> c == 0 || Character.getType(c) == Character.SURROGATE);
    }

    /** Makes a change anew until no other writer is in its way. */
    Outcome change(TableLocation location, @Nullable String branch, Plan plan) {
        TableVersion target = TableVersion.ofBranch(branch);
        return calls.metadata(() -> {
            for (int attempt = 1; ; attempt++) {
                try (DatasetLease lease = handles.open(location, target)) {
                    Map<String, Map<String, String>> after = new LinkedHashMap<>();
                    Optional<UpdateConfig> change = plan.of(lease.dataset(), after);
                    long version = change.isEmpty()
                            ? lease.dataset().version()
                            : commits.commit(lease.dataset(), location, target, change.get());
                    return new Outcome(version, after);
                } catch (Exception e) {
                    if (!isLost(e) || attempt == ATTEMPTS) {
                        throw NativeErrors.translate(e);
                    }
                }
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_PAUSE_NANOS));
            }
        });
    }

    private static boolean isLost(Exception e) {
        if (e instanceof CatalogException known) {
            return known.code() == ErrorCode.CONCURRENT_MODIFICATION;
        }
        // The field went away since the table was looked at; the next look tells.
        return NativeErrors.cause(e) == NativeErrors.Cause.CONFLICT
                || NativeErrors.text(e).contains("field with id");
    }
}
