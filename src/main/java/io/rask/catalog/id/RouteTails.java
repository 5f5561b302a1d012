package io.rask.catalog.id;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What may follow the id in the address of an operation on one object, such as {@code describe} or {@code index/<name>/stats}. An id
 * may hold raw slashes, so only this list tells where it ends; it names operations that are not served too, so that
 * {@code t/tags/delete} never becomes {@code delete} on a table {@code t/tags}.
 */
public final class RouteTails {
    private static final String ANY = "*";

    /**
     * One tail.
     *
     * @param segments literals, and {@code *} for a segment of any text
     * @param spec whether the specification has it; the others are ours or another client's, and served under
     *     {@code /management/v1} too
     */
    record Tail(List<String> segments, boolean spec) {
        boolean ends(List<String> path) {
            // At least one segment must be left for the id.
            int offset = path.size() - segments.size();
            if (offset < 1) {
                return false;
            }
            for (int i = 0; i < segments.size(); i++) {
                String expected = segments.get(i);
                if (!expected.equals(ANY) && !expected.equals(path.get(offset + i))) {
                    return false;
                }
            }
            return true;
        }
    }

    private static final String ACCESS =
            "access/list access/check access/graph access/grant access/revoke access/my-permissions";
    private static final String SHARED =
            "undrop purge tasks protection policy/set policy/describe policy/delete " + ACCESS;

    private static final Map<String, List<Tail>> TAILS = Map.of(
            "namespace",
            tails(
                    "create list describe drop exists table/list",
                    SHARED + " managed-access/set managed-access/describe function/list secret/list view/list"
                            + " materialized_view/list"),
            "table",
            tails(
                    "register describe exists drop deregister restore rename schema_metadata/update"
                            + " version/list version/create version/describe version/delete"
                            + " alter_columns update_field_metadata drop_columns add_columns backfill_column"
                            + " stats insert merge_insert update delete query count_rows create declare"
                            + " explain_plan analyze_plan create_index create_scalar_index"
                            + " index/list index/*/stats index/*/drop"
                            + " tags/list tags/version tags/create tags/delete tags/update"
                            + " branches/list branches/create branches/delete",
                    SHARED + " maintenance/preview maintenance/run maintenance/compact maintenance/reindex"
                            + " compaction_plan compaction_commit credentials commit blobs history changes publish erasure"
                            + " multipart_write/create multipart_write/complete multipart_write/abort"
                            + " index/*/prewarm page_cache/prewarm branches/diff branches/cherry_pick clone"
                            + " fetch_blobs blob/*/*/bytes refresh set_lsm_write_spec unset_lsm_write_spec"
                            + " get_lsm_write_spec flush_lsm compact_lsm get_lsm_stats"),
            "transaction",
            tails("describe alter", ""),
            "materialized_view",
            tails("create refresh", "describe drop list " + ACCESS));

    private RouteTails() {}

    private static List<Tail> tails(String spec, String extensions) {
        List<Tail> tails = new ArrayList<>();
        for (String tail : spec.split(" ", -1)) {
            tails.add(new Tail(List.of(tail.split("/", -1)), true));
        }
        if (!extensions.isEmpty()) {
            for (String tail : extensions.split(" ", -1)) {
                tails.add(new Tail(List.of(tail.split("/", -1)), false));
            }
        }
        tails.sort(Comparator.comparing((Tail tail) -> tail.segments().size()).reversed());
        return List.copyOf(tails);
    }

    /** Whether the word begins the address of operations on one object. */
    static boolean isObjectKind(String word) {
        return TAILS.containsKey(word);
    }

    /**
     * The longest tail that ends the path and leaves an id before it.
     *
     * @param kind the word after {@code /v1}
     * @param path the segments after it
     */
    static Optional<Tail> longest(String kind, List<String> path) {
        return TAILS.getOrDefault(kind, List.of()).stream()
                .filter(tail -> tail.ends(path))
                .findFirst();
    }

    /**
     * Whether requests for a served route would reach it: the tail of its pattern must be known here.
     *
     * @param pattern a route pattern such as {@code /v1/table/{id}/index/{index_name}/stats}
     */
    public static boolean covers(String pattern) {
        List<String> segments = List.of(pattern.split("/", -1));
        if (segments.size() < 5 || !segments.get(1).equals("v1") || !isObjectKind(segments.get(2))) {
            return true;
        }
        if (!segments.get(3).startsWith("{")) {
            return true;
        }
        List<String> tail = segments.subList(4, segments.size()).stream()
                .map(segment -> segment.startsWith("{") ? ANY : segment)
                .toList();
        return TAILS.getOrDefault(segments.get(2), List.of()).stream()
                .anyMatch(known -> known.segments().equals(tail));
    }
}
