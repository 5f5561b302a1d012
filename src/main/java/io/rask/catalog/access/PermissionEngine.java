package io.rask.catalog.access;

import dev.openfga.sdk.api.OpenFgaApi;
import dev.openfga.sdk.api.client.ApiResponse;
import dev.openfga.sdk.api.model.BatchCheckItem;
import dev.openfga.sdk.api.model.BatchCheckRequest;
import dev.openfga.sdk.api.model.BatchCheckSingleResult;
import dev.openfga.sdk.api.model.CheckRequestTupleKey;
import dev.openfga.sdk.api.model.ConsistencyPreference;
import dev.openfga.sdk.api.model.ContextualTupleKeys;
import dev.openfga.sdk.api.model.ReadRequest;
import dev.openfga.sdk.api.model.ReadRequestTupleKey;
import dev.openfga.sdk.api.model.ReadResponse;
import dev.openfga.sdk.api.model.RelationshipCondition;
import dev.openfga.sdk.api.model.TupleKey;
import dev.openfga.sdk.api.model.TupleKeyWithoutCondition;
import dev.openfga.sdk.api.model.WriteRequest;
import dev.openfga.sdk.api.model.WriteRequestDeletes;
import dev.openfga.sdk.api.model.WriteRequestWrites;
import dev.openfga.sdk.errors.ApiException;
import dev.openfga.sdk.errors.FgaInvalidParameterException;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.problem.CatalogException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The permission engine: what it is asked and told. Every method throws a {@link CatalogException} of code 17 when the engine does not
 * answer within its budget or answers with an error; nothing is ever allowed by a failure.
 */
public final class PermissionEngine {
    private static final int CHECKS_AT_ONCE = 50;
    private static final int WRITES_AT_ONCE = 100;
    private static final int TEAMS_AT_ONCE = 100;
    private static final int PAGE = 100;
    private static final int WIDTH = 4;
    private static final String CONDITION = "non_expired_grant";

    private final EngineTransport transport;
    private final EngineStore stores;
    private final VerdictCache cache;
    private final Clock clock;
    private final Object selecting = new Object();
    private volatile EngineStore.@Nullable Selected selected;
    private volatile @Nullable String trouble = "The permission engine has not been asked yet.";

    PermissionEngine(EngineTransport transport, EngineStore stores, VerdictCache cache, Clock clock) {
        this.transport = transport;
        this.stores = stores;
        this.cache = cache;
        this.clock = clock;
    }

    /** The store and the model that are asked. */
    public EngineStore.Selected selected() {
        EngineStore.Selected known = selected;
        if (known != null) {
            return known;
        }
        synchronized (selecting) {
            EngineStore.Selected again = selected;
            if (again == null) {
                again = watched(stores::select);
                selected = again;
            }
            return again;
        }
    }

    /** Why the last call failed; null when it did not. */
    @Nullable
    String trouble() {
        return trouble;
    }

    /** A call of the engine's API on our store. */
    @FunctionalInterface
    public interface StoreCall<T> {
        CompletableFuture<ApiResponse<T>> send(OpenFgaApi api, String store, String model)
                throws FgaInvalidParameterException, ApiException;
    }

    /** The engine's answer to a call that has no method of its own here. */
    public <T> T call(StoreCall<T> call) {
        EngineStore.Selected on = selected();
        return watched(() -> transport.call(api -> call.send(api, on.store(), on.model())));
    }

    private <T> T watched(java.util.function.Supplier<T> work) {
        try {
            T done = work.get();
            trouble = null;
            return done;
        } catch (CatalogException e) {
            Throwable cause = e.getCause();
            trouble = "The permission engine does not answer as it should: "
                    + (cause == null ? e.text() : cause.getClass().getSimpleName());
            if (EngineStore.isGone(cause)) {
                selected = null;
            }
            throw e;
        }
    }

    /**
     * The verdicts, in the order of the questions. Up to {@value #CHECKS_AT_ONCE} are one round trip; a question of a caller in more than
     * {@value #TEAMS_AT_ONCE} teams is several of them, for parts of the teams.
     */
    public List<Boolean> check(List<Question> questions) {
        List<Question> asked = new ArrayList<>();
        List<Integer> asks = new ArrayList<>();
        for (int at = 0; at < questions.size(); at++) {
            Question question = questions.get(at);
            for (Principal part : parts(question.principal())) {
                asked.add(new Question(part, question.relation(), question.object()));
                asks.add(at);
            }
        }
        List<Boolean> answers = Fanout.map(parts(asked, CHECKS_AT_ONCE), WIDTH, this::checkPart).stream()
                .flatMap(List::stream)
                .toList();
        List<Boolean> verdicts = new ArrayList<>(Collections.nCopies(questions.size(), false));
        for (int at = 0; at < answers.size(); at++) {
            if (answers.get(at)) {
                verdicts.set(asks.get(at), true);
            }
        }
        return verdicts;
    }

    /** The caller as a member of some teams at a time: the engine takes no more with one question. */
    private static List<Principal> parts(Principal principal) {
        if (principal.teams().size() <= TEAMS_AT_ONCE) {
            return List.of(principal);
        }
        return parts(List.copyOf(principal.teams()), TEAMS_AT_ONCE).stream()
                .map(teams -> new Principal(
                        principal.subject(),
                        principal.means(),
                        new LinkedHashSet<>(teams),
                        principal.name(),
                        principal.email()))
                .toList();
    }

    private List<Boolean> checkPart(List<Question> questions) {
        return checkPart(questions, System.nanoTime() + transport.budget().toNanos());
    }

    /** What the engine did not get through in its own time is asked again in halves, until the budget is spent. */
    private List<Boolean> checkPart(List<Question> questions, long deadline) {
        Map<String, BatchCheckSingleResult> answers = asked(questions);
        boolean whole = IntStream.range(0, questions.size()).allMatch(at -> isVerdict(answers.get(String.valueOf(at))));
        if (!whole && questions.size() > 1 && System.nanoTime() < deadline) {
            int half = questions.size() / 2;
            List<Boolean> verdicts = new ArrayList<>(checkPart(questions.subList(0, half), deadline));
            verdicts.addAll(checkPart(questions.subList(half, questions.size()), deadline));
            return verdicts;
        }
        List<Boolean> verdicts = new ArrayList<>();
        for (int at = 0; at < questions.size(); at++) {
            verdicts.add(verdict(answers.get(String.valueOf(at)), questions.get(at)));
        }
        return verdicts;
    }

    private static boolean isVerdict(@Nullable BatchCheckSingleResult answer) {
        return answer != null && answer.getError() == null && answer.getAllowed() != null;
    }

    private Map<String, BatchCheckSingleResult> asked(List<Question> questions) {
        Map<String, String> now = Map.of("current_time", clock.instant().toString());
        List<BatchCheckItem> items = new ArrayList<>();
        for (int at = 0; at < questions.size(); at++) {
            Question question = questions.get(at);
            items.add(item(question.principal(), question.relation().wireName(), ObjectNames.of(question.object()), now)
                    .correlationId(String.valueOf(at)));
        }
        return answers(items);
    }

    private Map<String, BatchCheckSingleResult> answers(List<BatchCheckItem> items) {
        return required(call((api, store, model) -> api.batchCheck(
                        store,
                        new BatchCheckRequest()
                                .checks(items)
                                .authorizationModelId(model)
                                .consistency(ConsistencyPreference.HIGHER_CONSISTENCY)))
                .getResult());
    }

    /**
     * Whether somebody has a relation that no door asks for.
     *
     * @param at the moment for which grants that end by themselves are looked at
     */
    boolean holds(Principal principal, String relation, AccessObject object, Instant at) {
        Map<String, String> then = Map.of("current_time", at.toString());
        List<BatchCheckItem> items = new ArrayList<>();
        for (Principal part : parts(principal)) {
            items.add(item(part, relation, ObjectNames.of(object), then).correlationId(String.valueOf(items.size())));
        }
        Map<String, BatchCheckSingleResult> answers = answers(items);
        // All are looked at: one that failed must not pass for a denial.
        return items.stream()
                .map(item -> verdict(answers.get(item.getCorrelationId()), relation))
                .toList()
                .contains(true);
    }

    private static BatchCheckItem item(Principal principal, String relation, String object, Map<String, String> now) {
        String user = ObjectNames.user(principal.subject());
        BatchCheckItem item = new BatchCheckItem()
                .tupleKey(
                        new CheckRequestTupleKey().user(user).relation(relation)._object(object))
                .context(now);
        List<TupleKey> teams = principal.teams().stream()
                .map(team -> new TupleKey().user(user).relation("member")._object(ObjectNames.team(team)))
                .toList();
        return teams.isEmpty() ? item : item.contextualTuples(new ContextualTupleKeys().tupleKeys(teams));
    }

    private static <T> T required(@Nullable T answer) {
        if (answer == null) {
            throw EngineTransport.unavailable(new IllegalStateException("an answer without what was asked for"));
        }
        return answer;
    }

    private static boolean verdict(@Nullable BatchCheckSingleResult answer, Object question) {
        if (answer == null || answer.getError() != null || answer.getAllowed() == null) {
            throw EngineTransport.unavailable(new IllegalStateException(
                    "no verdict for " + question + ": " + (answer == null ? "left out" : answer.getError())));
        }
        return answer.getAllowed();
    }

    /**
     * Adds and removes facts; adding one that is there and removing one that is not is a success. Up to {@value #WRITES_AT_ONCE} are
     * one change, all or none; more are several, and a repeat goes on where a failure ended.
     */
    public void write(Collection<Tuple> added, Collection<Tuple> removed) {
        List<Runnable> parts = new ArrayList<>();
        List<Tuple> add = List.copyOf(new LinkedHashSet<>(added));
        List<Tuple> remove = List.copyOf(new LinkedHashSet<>(removed));
        if (add.size() + remove.size() <= WRITES_AT_ONCE) {
            parts.add(() -> writePart(add, remove));
        } else {
            parts(add, WRITES_AT_ONCE).forEach(part -> parts.add(() -> writePart(part, List.of())));
            parts(remove, WRITES_AT_ONCE).forEach(part -> parts.add(() -> writePart(List.of(), part)));
        }
        try {
            parts.forEach(Runnable::run);
        } finally {
            if (!remove.isEmpty()) {
                cache.forget();
            }
        }
    }

    private void writePart(List<Tuple> add, List<Tuple> remove) {
        if (add.isEmpty() && remove.isEmpty()) {
            return;
        }
        call((api, store, model) -> {
            WriteRequest request = new WriteRequest().authorizationModelId(model);
            if (!add.isEmpty()) {
                request.writes(new WriteRequestWrites()
                        .tupleKeys(add.stream().map(PermissionEngine::key).toList())
                        .onDuplicate(WriteRequestWrites.OnDuplicateEnum.IGNORE));
            }
            if (!remove.isEmpty()) {
                request.deletes(new WriteRequestDeletes()
                        .tupleKeys(remove.stream()
                                .map(tuple -> new TupleKeyWithoutCondition()
                                        .user(tuple.user())
                                        .relation(tuple.relation())
                                        ._object(tuple.object()))
                                .toList())
                        .onMissing(WriteRequestDeletes.OnMissingEnum.IGNORE));
            }
            return api.write(store, request);
        });
    }

    private static TupleKey key(Tuple tuple) {
        TupleKey key =
                new TupleKey().user(tuple.user()).relation(tuple.relation())._object(tuple.object());
        Tuple.Expiry expiry = tuple.expiry();
        return expiry == null
                ? key
                : key.condition(new RelationshipCondition()
                        .name(CONDITION)
                        .context(Map.of(
                                "grant_time",
                                expiry.granted().toString(),
                                "grant_duration",
                                expiry.duration().toSeconds() + "s")));
    }

    /**
     * One page of facts.
     *
     * @param user whose, or null for anyone's
     * @param relation which, or null for all
     * @param object of which object, or {@code type:} with a user
     * @param token the {@code next} of the page before; null for the first
     */
    public Page read(
            @Nullable String user, @Nullable String relation, @Nullable String object, @Nullable String token) {
        ReadRequestTupleKey wanted =
                new ReadRequestTupleKey().user(user).relation(relation)._object(object);
        ReadRequest request = new ReadRequest()
                .pageSize(PAGE)
                .continuationToken(token)
                .consistency(ConsistencyPreference.HIGHER_CONSISTENCY);
        if (user != null || relation != null || object != null) {
            request.tupleKey(wanted);
        }
        ReadResponse page = call((api, store, model) -> api.read(store, request));
        String next = page.getContinuationToken();
        return new Page(
                page.getTuples().stream().map(found -> tuple(found.getKey())).toList(),
                next == null || next.isEmpty() ? null : next);
    }

    /**
     * Facts and the token of those that follow.
     *
     * @param next null on the last page
     */
    public record Page(List<Tuple> tuples, @Nullable String next) {}

    /** All facts of one object. */
    public List<Tuple> of(String object) {
        return all(null, null, object);
    }

    /** All facts that {@link #read} gives page by page. */
    public List<Tuple> all(@Nullable String user, @Nullable String relation, @Nullable String object) {
        List<Tuple> all = new ArrayList<>();
        String token = null;
        do {
            Page page = read(user, relation, object, token);
            all.addAll(page.tuples());
            token = page.next();
        } while (token != null);
        return all;
    }

    private static Tuple tuple(TupleKey key) {
        RelationshipCondition condition = key.getCondition();
        return new Tuple(
                key.getUser(), key.getRelation(), key.getObject(), condition == null ? null : expiry(condition));
    }

    private static Tuple.@Nullable Expiry expiry(RelationshipCondition condition) {
        if (!(condition.getContext() instanceof Map<?, ?> context)) {
            return null;
        }
        String length = String.valueOf(context.get("grant_duration"));
        return new Tuple.Expiry(
                Instant.parse(String.valueOf(context.get("grant_time"))),
                Duration.parse("PT" + length.toUpperCase(Locale.ROOT)));
    }

    private static <T> List<List<T>> parts(List<T> all, int most) {
        List<List<T>> parts = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            parts.add(all.subList(from, Math.min(from + most, all.size())));
        }
        return parts;
    }
}
