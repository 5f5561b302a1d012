package io.rask.catalog.lance;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.lance.Dataset;
import org.lance.index.Index;
import org.lance.index.IndexDescription;
import org.lance.schema.LanceField;

/** The indices of a table, by the columns they are of. */
final class TableIndices {
    /** How the names of indices begin that the library keeps for itself. */
    static final String SYSTEM = "__lance";

    private final Dataset dataset;

    TableIndices(Dataset dataset) {
        this.dataset = dataset;
    }

    /** The indices of one kind that a column has. */
    List<IndexDescription> of(String column, Predicate<IndexDescription> kind) {
        Map<Integer, String> names = fieldNames();
        return dataset.describeIndices().stream()
                .filter(kind)
                .filter(index -> index.getFieldIds().stream().anyMatch(id -> column.equals(names.get(id))))
                .toList();
    }

    /** The names of the indices of one kind that some columns have. */
    List<String> names(Collection<String> columns, Predicate<IndexDescription> kind) {
        return columns.stream()
                .flatMap(column -> of(column, kind).stream())
                .map(IndexDescription::getName)
                .distinct()
                .toList();
    }

    /** The fragments that some index of a column holds; all of them when an index does not say. */
    Set<Integer> fragments(String column, Predicate<IndexDescription> kind, Set<Integer> all) {
        Set<Integer> fragments = new TreeSet<>();
        for (IndexDescription index : of(column, kind)) {
            for (Index segment : index.getSegments()) {
                fragments.addAll(segment.fragments()
                        .<Collection<Integer>>map(covered -> covered)
                        .orElse(all));
            }
        }
        return fragments;
    }

    /** The columns with a full-text index. */
    List<String> textColumns() {
        Map<Integer, String> names = fieldNames();
        return dataset.describeIndices().stream()
                .filter(TableIndices::isText)
                .flatMap(index -> index.getFieldIds().stream())
                .map(names::get)
                .filter(name -> name != null)
                .distinct()
                .sorted()
                .toList();
    }

    static boolean isText(IndexDescription index) {
        return index.getIndexType().equalsIgnoreCase("inverted")
                || index.getIndexType().equalsIgnoreCase("fts");
    }

    static boolean isVector(IndexDescription index) {
        return index.getIndexType().toLowerCase(Locale.ROOT).startsWith("ivf")
                || index.getIndexType().equalsIgnoreCase("vector");
    }

    /** The indices that clients may see. */
    List<IndexDescription> all() {
        return dataset.describeIndices().stream()
                .filter(index -> !index.getName().startsWith(SYSTEM))
                .toList();
    }

    /** The index of a name, if there is one that clients may see. */
    Optional<IndexDescription> named(String name) {
        return all().stream().filter(index -> index.getName().equals(name)).findFirst();
    }

    /** The paths of all fields by their ids. */
    Map<Integer, FieldPath> paths() {
        Map<Integer, FieldPath> paths = new HashMap<>();
        dataset.getLanceSchema().fields().forEach(field -> collect(field, List.of(), paths));
        return paths;
    }

    private Map<Integer, String> fieldNames() {
        Map<Integer, String> names = new HashMap<>();
        paths().forEach((id, path) -> names.put(id, path.scan()));
        return names;
    }

    private static void collect(LanceField field, List<String> parents, Map<Integer, FieldPath> paths) {
        List<String> path = new ArrayList<>(parents);
        path.add(field.getName());
        paths.put(field.getId(), new FieldPath(List.copyOf(path)));
        field.getChildren().forEach(child -> collect(child, path, paths));
    }
}
