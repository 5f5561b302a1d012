package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.platform.Fanout;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * How rights come to be on an object: what it lies in, who was given what there, and who is in the groups that were. It is bounded, and
 * says so where it ends early.
 */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
public final class AccessGraphs {
    private static final int MOST_EDGES = 2000;
    private static final int MOST_GROUPS = 100;
    private static final int WIDTH = 4;
    private static final String MEMBER = "member";
    private static final String ASSIGNEE = "assignee";
    /** Whose members administer a project. */
    private static final String TEAM = "team";

    private final PermissionEngine engine;

    AccessGraphs(PermissionEngine engine) {
        this.engine = engine;
    }

    /**
     * An object, or something it lies in.
     *
     * @param isTold whether the caller may know what was given on it
     */
    public record Level(AccessObject object, boolean isTold) {}

    /**
     * A node.
     *
     * @param id the kind and the name: {@code table:shop$sales}, {@code user:ann}
     * @param isTold whether what was given on it is among the edges
     */
    public record Node(String id, String kind, boolean isTold) {}

    /**
     * An edge. It leads from who has something to what it is had on, so every path ends at the object.
     *
     * @param relation the rung; {@code assignee} and {@code member} of groups, {@code parent} from what holds to what is held
     * @param expiresAt when it ends by itself; null when it does not
     */
    public record Edge(
            String from,
            String to,
            String relation,
            @Nullable Instant expiresAt) {}

    /**
     * The whole.
     *
     * @param truncated whether there is more than is told
     */
    public record Graph(List<Node> nodes, List<Edge> edges, boolean truncated) {}

    /**
     * The graph of an object.
     *
     * @param lineage the object, and what it lies in, the nearest first
     * @param only the principal whose paths alone are wanted; null for all
     */
    public Graph of(List<Level> lineage, @Nullable Grantee only) {
        Drawing drawing = new Drawing();
        drawing.levels(lineage);
        drawing.groups();
        return drawing.graph(lineage, only);
    }

    private final class Drawing {
        private final Map<String, Node> nodes = new LinkedHashMap<>();
        private final Set<Edge> edges = new LinkedHashSet<>();
        private final Deque<String> groups = new ArrayDeque<>();
        private boolean truncated;

        void levels(List<Level> lineage) {
            String below = null;
            for (Level level : lineage) {
                String id = id(level.object());
                nodes.put(id, new Node(id, level.object().kind().type(), level.isTold()));
                if (below != null) {
                    edges.add(new Edge(id, below, "parent", null));
                }
                below = id;
            }
            List<Level> told = lineage.stream().filter(Level::isTold).toList();
            List<Facts> facts = Fanout.map(told, WIDTH, level -> facts(null, ObjectNames.of(level.object())));
            for (int at = 0; at < told.size(); at++) {
                AccessObject object = told.get(at).object();
                Set<String> giving = giving(object.kind());
                draw(facts.get(at), id(object), giving);
            }
        }

        /** Who is in the groups, and in the groups in them. */
        void groups() {
            int looked = 0;
            while (!groups.isEmpty()) {
                if (looked++ == MOST_GROUPS || edges.size() == MOST_EDGES) {
                    truncated = true;
                    return;
                }
                String group = groups.remove();
                String relation = group.startsWith("role:") ? ASSIGNEE : MEMBER;
                draw(facts(relation, group), group, Set.of(relation));
            }
        }

        private void draw(Facts facts, String to, Set<String> relations) {
            truncated |= facts.more();
            for (Tuple fact : facts.tuples()) {
                if (!relations.contains(fact.relation())) {
                    continue;
                }
                if (edges.size() == MOST_EDGES) {
                    truncated = true;
                    return;
                }
                String from = Grantee.told(fact.user());
                Tuple.Expiry expiry = fact.expiry();
                edges.add(new Edge(
                        from,
                        to,
                        fact.relation(),
                        expiry == null ? null : expiry.granted().plus(expiry.duration())));
                String kind = from.substring(0, from.indexOf(':'));
                if (nodes.putIfAbsent(from, new Node(from, kind, true)) == null && !kind.equals("user")) {
                    groups.add(from);
                }
            }
        }

        Graph graph(List<Level> lineage, @Nullable Grantee only) {
            if (only == null) {
                return new Graph(List.copyOf(nodes.values()), List.copyOf(edges), truncated);
            }
            Set<String> kept = onPathsOf(only.text());
            // What the caller may not know of could hold a path.
            lineage.stream()
                    .filter(level -> !level.isTold())
                    .forEach(level -> kept.addAll(onPathsOf(id(level.object()))));
            kept.add(id(lineage.getFirst().object()));
            return new Graph(
                    nodes.values().stream()
                            .filter(node -> kept.contains(node.id()))
                            .toList(),
                    edges.stream()
                            .filter(edge -> kept.contains(edge.from()) && kept.contains(edge.to()))
                            .toList(),
                    truncated);
        }

        /** The node and all that edges lead to from it. */
        private Set<String> onPathsOf(String node) {
            Map<String, List<Edge>> leaving = edges.stream().collect(Collectors.groupingBy(Edge::from));
            Set<String> reached = new HashSet<>();
            Deque<String> open = new ArrayDeque<>();
            if (nodes.containsKey(node)) {
                open.add(node);
            }
            while (!open.isEmpty()) {
                String at = open.remove();
                if (reached.add(at)) {
                    leaving.getOrDefault(at, List.of()).forEach(edge -> open.add(edge.to()));
                }
            }
            return reached;
        }
    }

    private record Facts(List<Tuple> tuples, boolean more) {}

    private Facts facts(@Nullable String relation, String object) {
        List<Tuple> tuples = new ArrayList<>();
        String token = null;
        do {
            PermissionEngine.Page page = engine.read(null, relation, object, token);
            tuples.addAll(page.tuples());
            token = page.next();
        } while (token != null && tuples.size() < MOST_EDGES);
        return new Facts(tuples, token != null);
    }

    private static Set<String> giving(Kind kind) {
        Set<String> giving = new HashSet<>();
        Rung.of(kind).forEach(rung -> giving.add(rung.wireName()));
        if (kind == Kind.PROJECT) {
            giving.add(TEAM);
        }
        return giving;
    }

    private static String id(AccessObject object) {
        return object.kind().type() + ":" + object.id();
    }
}
