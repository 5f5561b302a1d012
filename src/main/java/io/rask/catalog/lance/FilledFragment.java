package io.rask.catalog.lance;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A fragment of a table for which the values of a column have been computed. It becomes JSON, so that the work outlives who did it.
 *
 * @param id the fragment's
 * @param basis what the values were computed from; they are good for as long as the fragment has the same
 * @param rows how many rows got a value
 * @param file the file with the values, which nobody sees before a commit names it; null when no row was to get one
 */
public record FilledFragment(
        int id, String basis, long rows, @Nullable File file) {
    /**
     * A file of one column.
     *
     * @param fields the ids of the column and the fields inside it
     * @param columns where each of them is in the file
     * @param bytes its size, where that is known
     */
    public record File(
            String path,
            List<Integer> fields,
            List<Integer> columns,
            int major,
            int minor,
            @Nullable Long bytes) {
        /** A file that is not there and has the same columns. */
        File placeholder() {
            return new File("replaced-" + path, fields, columns, major, minor, bytes);
        }
    }
}
