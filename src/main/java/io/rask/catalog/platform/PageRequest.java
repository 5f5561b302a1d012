package io.rask.catalog.platform;

import io.rask.catalog.problem.CatalogException;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a sorted listing a request asks for. A token is the name of the last item of the page before, so pages neither
 * repeat nor skip an item while others write, and clients that send a bare name get what lies behind it. Where the caller may not know
 * of that item, the token is sealed.
 *
 * @param after the name the page begins behind; null for the first page
 * @param limit the most items the page holds, 1 to {@value #MOST} where a request says so
 */
public record PageRequest(@Nullable String after, int limit) {
    private static final int MOST = 1000;

    /**
     * Reads the paging of a request; absent means the first page of the largest size.
     *
     * @param limit values above {@value #MOST} mean {@value #MOST}; some clients send 2^31-1
     * @throws CatalogException code 13 for a limit below 1
     */
    public static PageRequest of(@Nullable String token, @Nullable Long limit) {
        if (limit != null && limit < 1) {
            throw CatalogException.invalid("The limit must be at least 1.");
        }
        String after = token == null || token.isEmpty() ? null : token;
        return new PageRequest(after, limit == null ? MOST : (int) Math.min(limit, MOST));
    }

    /** The one page that holds all there is. */
    public static PageRequest everything() {
        return new PageRequest(null, Integer.MAX_VALUE - 1);
    }

    /**
     * A page and the token of the next.
     *
     * @param next null on the last page
     */
    public record Page<T>(List<T> items, @Nullable String next) {}

    /** Cuts the page out of all items, in any order. */
    public <T> Page<T> cut(List<T> all, Function<T, String> name) {
        List<T> rest = all.stream()
                .filter(item -> after == null || name.apply(item).compareTo(after) > 0)
                .sorted(Comparator.comparing(name))
                .limit(limit + 1L)
                .toList();
        return page(rest, name);
    }

    /** Makes the page out of its items, in order, and one more where there is one. */
    public <T> Page<T> page(List<T> oneMore, Function<T, String> name) {
        if (oneMore.size() <= limit) {
            return new Page<>(oneMore, null);
        }
        List<T> items = oneMore.subList(0, limit);
        return new Page<>(items, name.apply(items.getLast()));
    }
}
