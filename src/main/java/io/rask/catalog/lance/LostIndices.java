package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.lance.Dataset;
import org.lance.index.IndexDescription;

/**
 * The indices that go with the old values when a column gets another type. What they were is noted in the metadata of the column, in
 * the same commit, so that they can be built anew.
 */
final class LostIndices {
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
            Set<Integer> old = ColumnFiles.ids(List.of(before.get(i)));
            String notes = lost.stream()
                    .filter(index -> index.getFieldIds().stream().anyMatch(old::contains))
                    .map(LostIndices::note)
                    .collect(Collectors.joining("\n"));
            noted.add(notes.isEmpty() ? fields.get(i) : with(fields.get(i), notes));
        }
        return noted;
    }

    private static String note(IndexDescription index) {
        Map<String, String> note = new HashMap<>();
        note.put("name", index.getName());
        note.put("type", index.getIndexType());
        if (index.getDetailsJson() != null) {
            note.put("details", index.getDetailsJson());
        }
        return String.valueOf(ManifestProperties.write(note));
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
