package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.jspecify.annotations.Nullable;
import org.lance.Dataset;
import org.lance.index.IndexDescription;

/**
 * The indices that go with the old values when a column gets another type. What they were is noted in the metadata of the column, in
 * the same commit, so that they can be built anew.
 */
final class LostIndices {
    private static final String NAME = "name";
    private static final String TYPE = "type";
    private static final String INSIDE = "inside";
    private static final String DETAILS = "details";

    private LostIndices() {}

    /** The columns with a note of the indices that their old selves had and they have not. */
    static List<Field> noted(Dataset table, List<Field> fields) {
        Set<Integer> kept = ColumnFiles.ids(fields);
        List<IndexDescription> lost = table.describeIndices().stream()
                .filter(index -> index.getFieldIds().stream().anyMatch(id -> !kept.contains(id)))
                .toList();
        List<Field> before = ColumnIds.of(table);
        List<Field> noted = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            Field old = before.get(i);
            Field made = fields.get(i);
            String notes = lost.stream()
                    .flatMap(index -> note(index, old, made).stream())
                    .collect(Collectors.joining("\n"));
            noted.add(notes.isEmpty() ? fields.get(i) : with(fields.get(i), notes));
        }
        return noted;
    }

    /** The note of an index, if it was of this column or of a field inside it. */
    private static Optional<String> note(IndexDescription index, Field old, Field made) {
        return index.getFieldIds().stream()
                .flatMap(id -> inside(old, made, id).stream())
                .findFirst()
                .map(inside -> {
                    Map<String, String> note = new HashMap<>();
                    note.put(NAME, index.getName());
                    note.put(TYPE, index.getIndexType());
                    if (!inside.isEmpty()) {
                        note.put(INSIDE, new FieldPath(inside).canonical());
                    }
                    if (index.getDetailsJson() != null) {
                        note.put(DETAILS, index.getDetailsJson());
                    }
                    return String.valueOf(ManifestProperties.write(note));
                });
    }

    /** The new names of the fields that lead from a column to the field of an id; empty for the column itself. */
    private static Optional<List<String>> inside(Field old, Field made, int id) {
        if (ColumnIds.id(old) == id) {
            return Optional.of(List.of());
        }
        int both = Math.min(old.getChildren().size(), made.getChildren().size());
        for (int i = 0; i < both; i++) {
            Field child = made.getChildren().get(i);
            Optional<List<String>> below = inside(old.getChildren().get(i), child, id);
            if (below.isPresent()) {
                List<String> path = new ArrayList<>(List.of(child.getName()));
                path.addAll(below.get());
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /** The indices that the columns of a table have lost, each name once. */
    static List<LostIndex> of(Dataset table) {
        Map<String, LostIndex> lost = new LinkedHashMap<>();
        boolean none = table.getSchema().getFields().stream()
                .noneMatch(column -> column.getMetadata().containsKey(ColumnBindings.LOST_INDICES));
        for (Field column : none ? List.<Field>of() : ColumnIds.of(table)) {
            notes(column).forEach(note -> lost.put(note.name(), note));
        }
        return List.copyOf(lost.values());
    }

    private static List<LostIndex> notes(Field column) {
        return column.getMetadata()
                .getOrDefault(ColumnBindings.LOST_INDICES, "")
                .lines()
                .map(ManifestProperties::read)
                .filter(note -> note.containsKey(NAME) && note.containsKey(TYPE))
                .map(note -> {
                    List<String> path = new ArrayList<>(List.of(column.getName()));
                    String inside = note.get(INSIDE);
                    if (inside != null) {
                        path.addAll(FieldPath.of(inside).segments());
                    }
                    return new LostIndex(
                            String.valueOf(note.get(NAME)),
                            ColumnIds.id(column),
                            new FieldPath(path).canonical(),
                            String.valueOf(note.get(TYPE)),
                            note.get(DETAILS));
                })
                .toList();
    }

    /** The notes of a column without those of an index; null when none is left. */
    static @Nullable String without(Field column, String name) {
        String left = column.getMetadata()
                .getOrDefault(ColumnBindings.LOST_INDICES, "")
                .lines()
                .filter(line -> !name.equals(ManifestProperties.read(line).get(NAME)))
                .collect(Collectors.joining("\n"));
        return left.isEmpty() ? null : left;
    }

    private static Field with(Field field, String notes) {
        Map<String, String> metadata = new HashMap<>(field.getMetadata());
        metadata.merge(ColumnBindings.LOST_INDICES, notes, (earlier, later) -> earlier + "\n" + later);
        return new Field(
                field.getName(),
                new FieldType(field.isNullable(), field.getType(), field.getDictionary(), metadata),
                field.getChildren());
    }
}
