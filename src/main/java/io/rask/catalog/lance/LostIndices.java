package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    /** The id of the field, which stays whatever names it gets. */
    private static final String FIELD = "field";

    private static final String DETAILS = "details";
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,9}");

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
            List<String> notes = new ArrayList<>();
            lines(made).forEach(line -> notes.add(moved(line, old, made)));
            lost.forEach(index -> note(index, old, made).ifPresent(notes::add));
            noted.add(notes.isEmpty() ? made : with(made, String.join("\n", notes)));
        }
        return noted;
    }

    private static Stream<String> lines(Field column) {
        return column.getMetadata()
                .getOrDefault(ColumnBindings.LOST_INDICES, "")
                .lines();
    }

    /** The note of an index, if it was of this column or of a field inside it. */
    private static Optional<String> note(IndexDescription index, Field old, Field made) {
        return index.getFieldIds().stream()
                .flatMap(id -> successor(old, made, id).stream())
                .findFirst()
                .map(field -> {
                    Map<String, String> note = new HashMap<>();
                    note.put(NAME, index.getName());
                    note.put(TYPE, index.getIndexType());
                    note.put(FIELD, String.valueOf(field));
                    if (index.getDetailsJson() != null) {
                        note.put(DETAILS, index.getDetailsJson());
                    }
                    return String.valueOf(ManifestProperties.write(note));
                });
    }

    /** An earlier note, of an index that is not there again: its field may have a new id too. */
    private static String moved(String line, Field old, Field made) {
        Map<String, String> note = new HashMap<>(ManifestProperties.read(line));
        Optional<Integer> field = field(note).flatMap(id -> successor(old, made, id));
        if (field.isEmpty()) {
            return line;
        }
        note.put(FIELD, String.valueOf(field.get()));
        return String.valueOf(ManifestProperties.write(note));
    }

    private static Optional<Integer> field(Map<String, String> note) {
        return Optional.ofNullable(note.get(FIELD))
                .filter(id -> NUMBER.matcher(id).matches())
                .map(Integer::valueOf);
    }

    /** The id of what takes the place of the field of an id, in a column or inside it. */
    private static Optional<Integer> successor(Field old, Field made, int id) {
        if (ColumnIds.id(old) == id) {
            return Optional.of(ColumnIds.id(made));
        }
        int both = Math.min(old.getChildren().size(), made.getChildren().size());
        for (int i = 0; i < both; i++) {
            Optional<Integer> below =
                    successor(old.getChildren().get(i), made.getChildren().get(i), id);
            if (below.isPresent()) {
                return below;
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
        return lines(column)
                .map(ManifestProperties::read)
                .filter(note -> note.containsKey(NAME) && note.containsKey(TYPE))
                .flatMap(note -> lost(column, note).stream())
                .toList();
    }

    /** Empty when the field is gone: nobody misses its index. */
    private static Optional<LostIndex> lost(Field column, Map<String, String> note) {
        return field(note)
                .flatMap(id -> path(column, id)
                        .map(path -> new LostIndex(
                                String.valueOf(note.get(NAME)),
                                id,
                                new FieldPath(path).canonical(),
                                String.valueOf(note.get(TYPE)),
                                note.get(DETAILS))));
    }

    /** The names that lead to the field of an id now. */
    private static Optional<List<String>> path(Field field, int id) {
        if (ColumnIds.id(field) == id) {
            return Optional.of(List.of(field.getName()));
        }
        for (Field child : field.getChildren()) {
            Optional<List<String>> below = path(child, id);
            if (below.isPresent()) {
                List<String> path = new ArrayList<>(List.of(field.getName()));
                path.addAll(below.get());
                return Optional.of(path);
            }
        }
        return Optional.empty();
    }

    /** The notes of a column without those of an index; null when none is left. */
    static @Nullable String without(Field column, String name) {
        String left = lines(column)
                .filter(line -> !name.equals(ManifestProperties.read(line).get(NAME)))
                .collect(Collectors.joining("\n"));
        return left.isEmpty() ? null : left;
    }

    private static Field with(Field field, String notes) {
        Map<String, String> metadata = new HashMap<>(field.getMetadata());
        metadata.put(ColumnBindings.LOST_INDICES, notes);
        return new Field(
                field.getName(),
                new FieldType(field.isNullable(), field.getType(), field.getDictionary(), metadata),
                field.getChildren());
    }
}
