package io.rask.catalog.access;

import io.rask.catalog.access.AccessObject.Kind;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Leaves out of lists what the caller may not see. Whoever may read what the items lie in sees all of them, which one question tells;
 * only where not, each item is asked for, and then only whether it was given itself: nothing comes down to it any more. Pages are
 * drained until the one that is wanted is full, so none of what may be seen is lost; after {@value #MOST_LOOKED} items the page ends
 * early, says so, and its token goes on there. Such a token is sealed, because it names what was looked at last, which the caller may
 * not know of.
 */
@Component
public final class ListFilter {
    private static final int MOST_LOOKED = 2000;
    /** What has rights of its own and of its holder, and of nothing else. */
    private static final Set<Kind> GIVEN = EnumSet.of(Kind.WAREHOUSE, Kind.NAMESPACE, Kind.TABLE);

    private final Authorization authorization;
    private final SealedTokens tokens;

    ListFilter(Authorization authorization, SealedTokens tokens) {
        this.authorization = authorization;
        this.tokens = tokens;
    }

    /**
     * How the items of a list are seen.
     *
     * @param relation what must be allowed on an item
     * @param object what an item is to the permission engine
     * @param holder what it lies in; empty where reading that would not show the item
     * @param token what a page that ends with the item goes on behind
     */
    public record Look<T>(
            Relation relation,
            Function<T, AccessObject> object,
            Function<T, Optional<AccessObject>> holder,
            Function<T, String> token) {}

    /**
     * A page of what may be seen.
     *
     * @param what the list is of, for the record and for its tokens
     * @param source gives pages of all there is
     * @param truncated is told when the page ends early
     * @throws io.rask.catalog.problem.CatalogException code 13 for a sealed token that this list did not give to the caller
     */
    public <T> PageRequest.Page<T> page(
            Caller caller,
            String what,
            PageRequest asked,
            Function<PageRequest, PageRequest.Page<T>> source,
            Look<T> look,
            Runnable truncated) {
        if (!authorization.isOn()) {
            return source.apply(asked);
        }
        return new Drain<>(caller, what, look, asked).page(source, truncated);
    }

    /** Of a few items those that may be seen. */
    public <T> List<T> visible(Caller caller, String what, List<T> items, Look<T> look) {
        if (!authorization.isOn()) {
            return items;
        }
        List<T> seen = new Drain<>(caller, what, look, PageRequest.everything()).seen(items);
        authorization.listed(caller, look.relation(), what, items.size(), seen.size());
        return seen;
    }

    /** One page in the making. */
    private final class Drain<T> {
        private final Caller caller;
        private final String what;
        private final Principal principal;
        private final Look<T> look;
        private final PageRequest asked;
        private final Map<AccessObject, Boolean> readable = new HashMap<>();

        Drain(Caller caller, String what, Look<T> look, PageRequest asked) {
            this.caller = caller;
            this.what = what;
            this.principal = caller.principal();
            this.look = look;
            this.asked = asked;
        }

        PageRequest.Page<T> page(Function<PageRequest, PageRequest.Page<T>> source, Runnable truncated) {
            List<T> found = new ArrayList<>();
            int looked = 0;
            String use = what + '\n' + principal.subject();
            String after = begin(use);
            String next;
            do {
                PageRequest.Page<T> page = source.apply(new PageRequest(after, asked.limit()));
                looked += page.items().size();
                found.addAll(seen(page.items()));
                next = page.next();
                after = next;
            } while (next != null && found.size() < asked.limit() && looked < MOST_LOOKED);
            if (next != null && found.size() < asked.limit()) {
                truncated.run();
                next = tokens.sealed(use, next);
            }
            PageRequest.Page<T> cut = cut(found, next);
            authorization.listed(
                    caller, look.relation(), what, looked, cut.items().size());
            return cut;
        }

        private @Nullable String begin(String use) {
            String after = asked.after();
            return after != null && SealedTokens.isSealed(after) ? tokens.opened(use, after) : after;
        }

        private PageRequest.Page<T> cut(List<T> found, @Nullable String next) {
            if (found.size() < asked.limit() || next == null && found.size() == asked.limit()) {
                return new PageRequest.Page<>(found, next);
            }
            // The token of a page that is full names what was shown; the source's own may name what is hidden.
            List<T> items = found.subList(0, asked.limit());
            return new PageRequest.Page<>(items, look.token().apply(items.getLast()));
        }

        List<T> seen(List<T> items) {
            try {
                return askedFor(items);
            } catch (CatalogException e) {
                authorization.notListed(caller, look.relation(), what, e);
                throw e;
            }
        }

        private List<T> askedFor(List<T> items) {
            learn(items);
            Map<T, AccessObject> single = new LinkedHashMap<>();
            for (T item : items) {
                if (!isHeldOpen(item)) {
                    single.put(item, look.object().apply(item));
                }
            }
            List<T> askedFor = List.copyOf(single.keySet());
            List<Boolean> verdicts = authorization.quietly(single.entrySet().stream()
                    .map(each -> new Question(principal, askedOf(each.getKey(), each.getValue()), each.getValue()))
                    .toList());
            Map<T, Boolean> allowed = new HashMap<>();
            for (int at = 0; at < askedFor.size(); at++) {
                allowed.put(askedFor.get(at), verdicts.get(at));
            }
            return items.stream()
                    .filter(item -> allowed.getOrDefault(item, true))
                    .toList();
        }

        /** A check that climbs costs some five times one that does not, and what would come down from the holder is known to be nothing. */
        private Relation askedOf(T item, AccessObject object) {
            boolean isHeld = look.holder().apply(item).isPresent();
            return isHeld && look.relation() == Relation.CAN_GET_METADATA && GIVEN.contains(object.kind())
                    ? Relation.IS_GIVEN
                    : look.relation();
        }

        private boolean isHeldOpen(T item) {
            return look.holder()
                    .apply(item)
                    .map(holder -> readable.getOrDefault(holder, false))
                    .orElse(false);
        }

        /** Asks for what the items lie in, each once. */
        private void learn(List<T> items) {
            List<AccessObject> holders = items.stream()
                    .flatMap(item -> look.holder().apply(item).stream())
                    .distinct()
                    .filter(holder -> !readable.containsKey(holder))
                    .toList();
            List<Boolean> verdicts = authorization.quietly(holders.stream()
                    .map(holder -> new Question(principal, Relation.CAN_READ_DATA, holder))
                    .toList());
            for (int at = 0; at < holders.size(); at++) {
                readable.put(holders.get(at), verdicts.get(at));
            }
        }
    }
}
