package io.rask.catalog.lance.arrow;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Which types of a stream fit which types of a table. A type fits when every value keeps its meaning: wider or narrower integers
 * and floats whose values fit exactly, text and lists of either offset width, lists of the right length into vectors, finer time
 * units. The one rounding allowed is inside vectors, where the table's element type states the precision wanted.
 */
final class ColumnFits {
    private final Map<Long, Dictionary> dictionaries;
    private final long batchBytes;

    ColumnFits(Map<Long, Dictionary> dictionaries, long batchBytes) {
        this.dictionaries = dictionaries;
        this.batchBytes = batchBytes;
    }

    /**
     * How to fill a column of the table from a column of the stream.
     *
     * @param path the column's name in messages
     * @throws CatalogException code 20 when the type does not fit
     */
    Fit plan(Field source, Field target, String path) {
        return plan(source, target, path, false);
    }

    /** How to fill a column that the stream does not have. */
    Fit nulls(Field target, String path) {
        requireWritable(target, path);
        return new NullFit(path, batchBytes);
    }

    private static void requireWritable(Field target, String path) {
        if (target.getDictionary() != null) {
            throw misfit(path, "the table stores this column dictionary-encoded, which cannot be written to");
        }
        target.getChildren().forEach(child -> requireWritable(child, path + "." + child.getName()));
    }

    private Fit plan(Field source, Field target, String path, boolean inVector) {
        requireWritable(target, path);
        if (source.getDictionary() != null) {
            Dictionary dictionary = dictionaries.get(source.getDictionary().getId());
            if (dictionary == null) {
                throw misfit(path, "its dictionary is missing");
            }
            Fit values = plan(dictionary.getVector().getField(), target, path, inVector);
            return new DictionaryFit(dictionary, values, path, batchBytes);
        }
        if (source.getType() instanceof ArrowType.Null) {
            return nulls(target, path);
        }
        return switch (target.getType()) {
            case ArrowType.Struct ignored -> struct(source, target, path);
            case ArrowType.List ignored -> list(source, target, path);
            case ArrowType.LargeList ignored -> list(source, target, path);
            case ArrowType.FixedSizeList size -> vector(source, target, size.getListSize(), path);
            default -> leaf(source, target, path, inVector);
        };
    }

    private Fit struct(Field source, Field target, String path) {
        if (!(source.getType() instanceof ArrowType.Struct)) {
            throw mismatch(path, source, target);
        }
        List<String> known = target.getChildren().stream().map(Field::getName).toList();
        List<String> given = source.getChildren().stream().map(Field::getName).toList();
        for (String name : given) {
            if (!known.contains(name)) {
                throw misfit(path, "field " + TypeRules.quoted(name) + " is not in the table");
            }
        }
        List<Fit> fits = new ArrayList<>();
        List<Integer> sources = new ArrayList<>();
        for (Field child : target.getChildren()) {
            int index = given.indexOf(child.getName());
            String childPath = path + "." + child.getName();
            if (index < 0 && !child.isNullable()) {
                throw misfit(childPath, "it is missing in the stream and cannot be null");
            }
            sources.add(index);
            fits.add(
                    index < 0
                            ? nulls(child, childPath)
                            : plan(source.getChildren().get(index), child, childPath, false));
        }
        return (from, to) -> fillStruct((StructVector) from, (StructVector) to, fits, sources);
    }

    private static void fillStruct(StructVector from, StructVector to, List<Fit> fits, List<Integer> sources) {
        int count = from.getValueCount();
        to.loadFieldBuffers(
                new ArrowFieldNode(count, from.getNullCount()),
                from.getFieldBuffers().subList(0, 1));
        for (int i = 0; i < fits.size(); i++) {
            FieldVector child = to.getChildrenFromFields().get(i);
            int source = sources.get(i);
            fits.get(i).fill(source < 0 ? from : from.getChildrenFromFields().get(source), child);
        }
    }

    private Fit list(Field source, Field target, String path) {
        boolean list = source.getType() instanceof ArrowType.List
                || source.getType() instanceof ArrowType.LargeList
                || source.getType() instanceof ArrowType.FixedSizeList;
        if (!list) {
            throw mismatch(path, source, target);
        }
        return ListFits.toList(plan(item(source), item(target), path, false));
    }

    private Fit vector(Field source, Field target, int size, String path) {
        if (source.getType() instanceof ArrowType.FixedSizeList given) {
            if (given.getListSize() != size) {
                throw misfit(
                        path, "the stream has vectors of " + given.getListSize() + " dimensions, the table of " + size);
            }
            return ListFits.vectorToVector(plan(item(source), item(target), path, true));
        }
        if (source.getType() instanceof ArrowType.List || source.getType() instanceof ArrowType.LargeList) {
            return ListFits.listToVector(plan(item(source), item(target), path, true), size, path);
        }
        throw mismatch(path, source, target);
    }

    private static Fit leaf(Field source, Field target, String path, boolean inVector) {
        if (source.getType().equals(target.getType())) {
            return Fit::transfer;
        }
        Fit fit = NumberFits.plan(source.getType(), target.getType(), path, inVector);
        fit = fit == null ? TimeFits.plan(source.getType(), target.getType(), path) : fit;
        fit = fit == null ? TextFits.plan(source.getType(), target.getType(), path) : fit;
        if (fit == null) {
            throw mismatch(path, source, target);
        }
        return fit;
    }

    private static Field item(Field list) {
        return list.getChildren().get(0);
    }

    private static CatalogException mismatch(String path, Field source, Field target) {
        return misfit(path, "the stream has type " + source.getType() + ", the table " + target.getType());
    }

    private static CatalogException misfit(String path, String reason) {
        return CatalogException.of(
                ErrorCode.TABLE_SCHEMA_VALIDATION_ERROR, "Column " + TypeRules.quoted(path) + ": " + reason + ".");
    }
}
