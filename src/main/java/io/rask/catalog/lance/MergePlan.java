package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;
import org.lance.merge.MergeInsertParams;
import org.lance.merge.MergeInsertParams.WhenNotMatched;

/**
 * A merge that is checked as far as it can be without the table, and what the library is told to do. The library finds matches in
 * one of two ways. With an index it loses rows whose key is null, and ends the process on a condition when the stream leaves
 * columns out; so it is let near an index only where neither can be, and made to join the whole table otherwise, by a rule for
 * rows without a match that never holds.
 */
final class MergePlan {
    private static final String NEVER = "false";
    private static final int MOST_KEYS = 16;
    private static final String SOURCE = "source";
    private static final String TARGET = "target";

    private final RowMerge merge;
    private final List<FieldPath> keys;
    private final @Nullable SqlText updateFilter;
    private final @Nullable SqlText deleteFilter;

    private MergePlan(
            RowMerge merge, List<FieldPath> keys, @Nullable SqlText updateFilter, @Nullable SqlText deleteFilter) {
        this.merge = merge;
        this.keys = keys;
        this.updateFilter = updateFilter;
        this.deleteFilter = deleteFilter;
    }

    /** @throws CatalogException code 13 for a merge without a key or without an effect, or with a bad path or condition */
    static MergePlan of(RowMerge merge) {
        if (merge.on().isEmpty() || merge.on().size() > MOST_KEYS) {
            throw CatalogException.invalid("A merge names 1 to " + MOST_KEYS + " key columns.");
        }
        if (!merge.hasEffect()) {
            throw CatalogException.invalid(
                    "The merge says neither what happens to matched rows nor to others: give at least"
                            + " one of when_matched_update_all, when_not_matched_insert_all and when_not_matched_by_source_delete.");
        }
        List<FieldPath> keys = merge.on().stream().map(FieldPath::of).distinct().toList();
        for (FieldPath key : keys) {
            if (key.segments().size() > 1) {
                throw CatalogException.invalid("Rows cannot be matched by '" + key.sql()
                        + "': a key is a column of its own, not a field inside one.");
            }
        }
        return new MergePlan(merge, keys, text(merge.updateFilter()), text(merge.deleteFilter()));
    }

    private static @Nullable SqlText text(@Nullable String sql) {
        return sql == null ? null : SqlText.of(sql);
    }

    boolean deletes() {
        return merge.deleteUnmatched();
    }

    /** The names of the key columns; code 12 or 13 when the table or the stream cannot be matched by them. */
    List<String> keys(Schema table, Schema given) {
        List<String> names = new ArrayList<>();
        for (FieldPath key : keys) {
            MergeKeys.requireComparable(key.in(table));
            Field column = key.find(given)
                    .orElseThrow(
                            () -> CatalogException.invalid("The stream lacks the key column '" + key.scan() + "'."));
            names.add(column.getName());
        }
        return names;
    }

    /** @throws CatalogException code 12, 13 or 20 when the merge does not fit the table and the columns of the stream */
    void check(Schema table, Schema given) {
        keys(table, given);
        if (merge.insertUnmatched()) {
            for (Field column : table.getFields()) {
                if (!column.isNullable() && find(given, column.getName()).isEmpty()) {
                    throw CatalogException.of(
                            ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR,
                            "The column '" + column.getName()
                                    + "' is missing in the stream and cannot be null, so no row can be inserted.");
                }
            }
        }
        if (updateFilter != null) {
            updateFilter.qualified(SOURCE).forEach(name -> requireColumn(name, given, "stream"));
            updateFilter.qualified(TARGET).forEach(name -> requireColumn(name, table, "table"));
        }
        if (deleteFilter != null && !deleteFilter.qualified(SOURCE).isEmpty()) {
            throw CatalogException.invalid(
                    "The condition for deletions is about rows that only the table has; it cannot name source columns.");
        }
    }

    private static Optional<Field> find(Schema schema, String name) {
        return schema.getFields().stream()
                .filter(field -> field.getName().equals(name))
                .findFirst();
    }

    private static void requireColumn(String name, Schema schema, String where) {
        boolean known =
                schema.getFields().stream().anyMatch(field -> field.getName().equalsIgnoreCase(name));
        if (!known) {
            throw CatalogException.of(
                    ErrorCode.TABLE_COLUMN_NOT_FOUND,
                    "The condition for updates names the column '" + name + "', which the " + where
                            + " does not have.");
        }
    }

    /** @throws CatalogException code 14 when the columns of the table are not any more what the rows were fitted to */
    void checkUnchanged(Schema table, Schema fitted) {
        for (Field field : fitted.getFields()) {
            Optional<Field> now = find(table, field.getName());
            if (now.isEmpty() || !sameType(now.get(), field)) {
                throw CatalogException.of(
                        ErrorCode.CONCURRENT_MODIFICATION,
                        "The columns of the table changed while the rows were taken in; try again.");
            }
        }
        check(table, fitted);
    }

    private static boolean sameType(Field one, Field other) {
        return one.getType().equals(other.getType())
                && one.isNullable() == other.isNullable()
                && one.getChildren().equals(other.getChildren());
    }

    /** What the library is told. */
    MergeInsertParams params(Schema table, MergeSource rows) {
        MergeInsertParams params = new MergeInsertParams(keys(table, rows.schema())).withConflictRetries(0);
        params.withNotMatched(merge.insertUnmatched() ? WhenNotMatched.InsertAll : WhenNotMatched.DoNothing);
        if (!merge.updateMatched()) {
            params.withMatchedDoNothing();
        } else if (updateFilter == null) {
            params.withMatchedUpdateAll();
        } else {
            params.withMatchedUpdateIf(updateFilter.forFilter());
        }
        if (merge.deleteUnmatched() && deleteFilter == null) {
            params.withNotMatchedBySourceDelete();
        } else if (deleteFilter != null) {
            params.withNotMatchedBySourceDeleteIf(
                    deleteFilter.withoutQualifier(TARGET).forFilter());
        } else if (!mayUseIndex(table, rows)) {
            params.withNotMatchedBySourceDeleteIf(NEVER);
        }
        return params;
    }

    private boolean mayUseIndex(Schema table, MergeSource rows) {
        boolean whole = rows.schema().getFields().size() == table.getFields().size();
        return merge.useIndex() && whole && updateFilter == null && !rows.hasNullKeys();
    }
}
