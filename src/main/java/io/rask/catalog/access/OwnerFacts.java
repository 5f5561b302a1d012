package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import java.util.ArrayList;
import java.util.List;

/** What the engine is told of an object when it gets its place, and when it gets its owner. */
public final class OwnerFacts {
    private static final String OWNER = "owner";
    private static final String ADMIN = "admin";
    private static final String WRITER = "writer";

    private final Ancestry ancestry;
    private final Navigation navigation;
    private final List<String> cascadeWriters;

    OwnerFacts(Ancestry ancestry, Navigation navigation, List<String> cascadeWriters) {
        this.ancestry = ancestry;
        this.navigation = navigation;
        this.cascadeWriters = List.copyOf(cascadeWriters);
    }

    /** What the owner of an object is called in the model; nothing has it on a role. */
    static String relation(AccessObject object) {
        return object.kind() == Kind.PROJECT ? ADMIN : OWNER;
    }

    /** The edge of an object, and what is configured for every new one of its kind. */
    public List<Tuple> placed(AccessObject object, AccessObject parent) {
        List<Tuple> facts = new ArrayList<>();
        facts.add(Edges.of(object, parent));
        if (object.kind() == Kind.WAREHOUSE) {
            cascadeWriters.forEach(
                    writer -> facts.add(new Tuple(ObjectNames.user(writer), WRITER, ObjectNames.of(object))));
        }
        return facts;
    }

    /** What makes a subject the owner of an object, with the way to it; nothing for a role, which its project's administrators have. */
    public List<Tuple> owned(String subject, AccessObject object, AccessObject parent) {
        if (object.kind() == Kind.ROLE) {
            return List.of();
        }
        String user = ObjectNames.user(subject);
        List<Tuple> facts = new ArrayList<>();
        facts.add(new Tuple(user, relation(object), ObjectNames.of(object)));
        facts.addAll(navigation.towards(user, ancestry.above(object, parent)));
        return facts;
    }
}
