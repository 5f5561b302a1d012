package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How rights come to be on an object: every path of edges ends at it.
 *
 * @param truncated whether there is more than is told
 */
public record AccessGraphResponse(List<Node> nodes, List<Edge> edges, boolean truncated) {

    /**
     * The object, what it lies in, and who was given something there.
     *
     * @param id the kind and the name, such as {@code table:shop$sales} or {@code user:ann}
     * @param grantsHidden true where the caller may not know what was given on it, which is not among the edges then; absent otherwise
     */
    public record Node(String id, String kind, @Nullable Boolean grantsHidden) {}

    /**
     * What {@code from} has on {@code to}.
     *
     * @param relation the rung; {@code assignee} of a role, {@code member} of a team, {@code parent} of what lies in it
     * @param expiresAt when it ends by itself, UTC; absent when it does not
     */
    public record Edge(
            String from,
            String to,
            String relation,
            @Nullable String expiresAt) {}
}
