package io.rask.catalog.access;

import io.rask.catalog.id.Delimiter;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Whether owners may give rights on what they own, or only those who manage the rights. It holds for everything below. */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
public final class ManagedAccess {
    private static final String EVERYBODY = "user:*";
    private static final String RELATION = "managed_access";

    private final PermissionEngine engine;
    private final Ancestry ancestry;
    private final VerdictCache cache;

    ManagedAccess(PermissionEngine engine, Ancestry ancestry, VerdictCache cache) {
        this.engine = engine;
        this.ancestry = ancestry;
        this.cache = cache;
    }

    /**
     * How it is.
     *
     * @param managed whether owners may not give
     * @param inherited whether that is so because of what lies above, too
     */
    public record State(boolean managed, boolean inherited) {}

    public State of(AccessObject object) {
        List<AccessObject> above = new ArrayList<>();
        if (object.kind() == AccessObject.Kind.NAMESPACE) {
            ancestry.parent(Delimiter.STORED.split(object.id()))
                    .ifPresent(parent -> above.addAll(ancestry.above(object, parent)));
        }
        boolean inherited = above.stream().anyMatch(this::isSet);
        return new State(inherited || isSet(object), inherited);
    }

    private boolean isSet(AccessObject object) {
        return !engine.all(EVERYBODY, RELATION, ObjectNames.of(object)).isEmpty();
    }

    public State set(AccessObject object, boolean managed) {
        List<Tuple> fact = List.of(new Tuple(EVERYBODY, RELATION, ObjectNames.of(object)));
        engine.write(managed ? fact : List.of(), managed ? List.of() : fact);
        // What is added here takes rights away.
        cache.forget();
        return of(object);
    }
}
