package io.rask.catalog.lance;

import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.lance.Branch;
import org.lance.Dataset;
import org.lance.Tag;

/**
 * Lists the tags and branches of a table. The library lists their files and then reads each; one that goes between the two fails the
 * whole list, which is then made anew.
 */
final class RefLists {
    private static final int TRIES = 10;

    private RefLists() {}

    static List<Tag> tags(Dataset table) {
        return settled(() -> table.tags().list());
    }

    static List<Branch> branches(Dataset table) {
        return settled(() -> table.branches().list());
    }

    private static <T> List<T> settled(Supplier<List<T>> listing) {
        for (int attempt = 1; ; attempt++) {
            try {
                return listing.get();
            } catch (Exception e) {
                if (attempt == TRIES || !isOfOneThatWent(e)) {
                    throw e;
                }
            }
        }
    }

    private static boolean isOfOneThatWent(Exception failure) {
        String text = String.valueOf(failure.getMessage()).toLowerCase(Locale.ROOT);
        return text.contains("not found") && text.contains("/_refs/");
    }
}
