package io.rask.catalog.record;

import static io.rask.catalog.record.RecordStoreContract.bytes;
import static io.rask.catalog.record.RecordStoreContract.newFolder;
import static io.rask.catalog.record.RecordStoreContract.written;
import static io.rask.catalog.record.RecordsContract.assertUnavailable;
import static io.rask.catalog.record.RecordsContract.node;
import static io.rask.catalog.record.RecordsContract.persist;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordStore.WriteOutcome;
import io.rask.catalog.record.Records.Removal;
import io.rask.catalog.record.Records.Unreadable;
import io.rask.catalog.testing.Fault;
import io.rask.catalog.testing.FaultRule;
import io.rask.catalog.testing.FaultRule.S3Request;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.S3Server;
import io.rask.catalog.testing.Settings;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

class S3RecordStoreTest implements RecordStoreContract, RecordsContract {
    private static final int WRITERS = 16;

    private static final S3Server SERVER = S3Server.inMemory();
    private static RecordStore store;
    private static RecordStore impatient;

    @BeforeAll
    static void open() {
        SERVER.withBucket("records");
        store = RecordStores.open(settings("s3://records/control", Map.of()));
        impatient = RecordStores.open(settings("s3://records/control", Map.of("lance.limits.store-timeout", "500ms")));
    }

    @AfterAll
    static void close() {
        store.close();
        impatient.close();
        SERVER.close();
    }

    @AfterEach
    void heal() {
        SERVER.heal();
    }

    @Override
    public RecordStore store() {
        return store;
    }

    /** The faults after which nobody can say whether a write was done, and whether it was. */
    static Stream<Fault> unknownOutcomes() {
        return Stream.of(
                Fault.Status.slowDown(),
                new Fault.Status(500, "InternalError"),
                new Fault.Delay(Duration.ofSeconds(2)),
                new Fault.DropRequest(),
                new Fault.DropReply());
    }

    @ParameterizedTest
    @MethodSource("unknownOutcomes")
    void aWriteNobodyConfirmedIsUnknownAndNotRepeatedByTheClient(Fault fault) {
        RecordKey key = RecordKey.of(newFolder(), "a");
        FaultRule rule = SERVER.always(request -> request.method().equals("PUT"), fault);
        assertThat(impatient.createIfAbsent(key, bytes("x"))).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(rule.hits()).isEqualTo(1);
        assertThat(impatient.replaceIfMatch(key, bytes("x"), "\"etag\"")).isInstanceOf(WriteOutcome.Unknown.class);
        assertThat(rule.hits()).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("unknownOutcomes")
    void aCreationNobodyConfirmedCountsOnce(Fault fault) {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = new Records(impatient, Clock.systemUTC())) {
            SERVER.next(1, request -> request.method().equals("PUT"), fault);
            assertThat(records.create(key, node("{\"x\":1}"))).isInstanceOf(Records.Creation.Created.class);
            SERVER.heal();
            assertThat(records.create(key, node("{\"x\":2}"))).isInstanceOf(Records.Creation.Existing.class);
            assertThat(records.read(key).orElseThrow().content().path("x").asInt())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("unknownOutcomes")
    void changesNobodyConfirmedCountOnce(Fault fault) {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = new Records(impatient, Clock.systemUTC())) {
            records.create(key, node("{\"count\":0}"));
            for (int i = 1; i <= 3; i++) {
                SERVER.next(1, request -> request.method().equals("PUT"), fault);
                CatalogRecord changed =
                        records.mutate(key, RecordsContract::counted).orElseThrow();
                assertThat(changed.content().path("count").asInt()).isEqualTo(i);
                SERVER.heal();
                assertThat(records.read(key).orElseThrow().writeId()).isEqualTo(changed.writeId());
            }
        }
    }

    @Test
    void aChangeWhoseReplyWasLostCountsOnceThoughOthersWroteOnTopOfIt() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records();
                Records other = records()) {
            records.create(key, node("{\"count\":0}"));
            CatalogRecord changed = duringLostReply(
                    key,
                    afterRead -> records.mutate(key, node -> counted(afterRead, node))
                            .orElseThrow(),
                    () -> repeat(20, () -> other.mutate(key, RecordsContract::counted)));
            assertThat(changed.content().path("count").asInt()).isEqualTo(1);
            assertThat(records.read(key).orElseThrow().content().path("count").asInt())
                    .isEqualTo(21);
        }
    }

    @Test
    void aRemovalWhoseReplyWasLostCountsThoughTheRecordWasCreatedAgainSince() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records();
                Records other = records()) {
            CatalogRecord first = records.create(key, node("{}")).record();
            Removal removal = duringLostReply(
                    key,
                    afterRead -> records.tombstone(key, record -> {
                        afterRead.run();
                        return record.writeId().equals(first.writeId());
                    }),
                    () -> other.create(key, node("{\"again\":1}")));
            assertThat(removal).isInstanceOf(Removal.Removed.class);
            assertThat(records.read(key).orElseThrow().content().has("again")).isTrue();
        }
    }

    @Test
    void aChangeThatCannotBeTracedIsReportedAsUnknownNotGuessed() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records();
                Records other = records()) {
            records.create(key, node("{\"count\":0}"));
            assertUnavailable(() -> duringLostReply(
                    key,
                    afterRead -> records.mutate(key, node -> counted(afterRead, node)),
                    () -> repeat(40, () -> other.mutate(key, RecordsContract::counted))));
            assertThat(records.read(key).orElseThrow().content().path("count").asInt())
                    .isEqualTo(41);
        }
    }

    @Test
    void aWriteThatIsDoneLongAfterItsCallerGaveUpCountsOnce() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = new Records(impatient, Clock.systemUTC())) {
            records.create(key, node("{\"count\":0}"));
            FaultRule held =
                    SERVER.next(1, request -> request.method().equals("PUT"), new Fault.Delay(Duration.ofMinutes(1)));
            AtomicInteger calls = new AtomicInteger();
            records.mutate(key, node -> {
                if (calls.incrementAndGet() == 2) {
                    held.close();
                    await().until(() -> records.read(key)
                                    .orElseThrow()
                                    .content()
                                    .path("count")
                                    .asInt()
                            == 1);
                }
                return RecordsContract.counted(node);
            });
            assertThat(calls).hasValue(2);
            assertThat(records.read(key).orElseThrow().content().path("count").asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void manyWritersOverAFaultyStoreLoseAndDoubleNothing() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "counter");
        int each = 4;
        long seed = ThreadLocalRandom.current().nextLong();
        System.out.println("faults with seed " + seed);
        Random random = new Random(seed);
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            records.create(key, node("{\"count\":0}"));
            for (Fault fault : List.of(new Fault.DropReply(), new Fault.DropRequest(), Fault.Status.slowDown())) {
                SERVER.always(request -> request.method().equals("PUT") && random.nextInt(5) == 0, fault);
            }
            AtomicInteger unknown = new AtomicInteger();
            race.run(runner -> {
                for (int i = 0; i < each; i++) {
                    try {
                        persist(() ->
                                records.mutate(key, RecordsContract::counted).orElseThrow());
                    } catch (CatalogException e) {
                        assertThat(e.text()).contains("may have been made");
                        unknown.incrementAndGet();
                    }
                }
                return runner;
            });
            SERVER.heal();
            int count = records.read(key).orElseThrow().content().path("count").asInt();
            assertThat(count).isBetween(WRITERS * each - unknown.get(), WRITERS * each);
            assertThat(unknown).hasValueLessThan(WRITERS * each / 4);
        }
    }

    @Test
    void aConflictIsALostRace() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        String etag = written(store.createIfAbsent(key, bytes("x"))).etag();
        SERVER.next(2, request -> request.method().equals("PUT"), Fault.Status.conflict());
        assertThat(store.createIfAbsent(RecordKey.of(newFolder(), "b"), bytes("x")))
                .isInstanceOf(WriteOutcome.Lost.class);
        assertThat(store.replaceIfMatch(key, bytes("y"), etag)).isInstanceOf(WriteOutcome.Lost.class);
    }

    @Test
    void aRefusalForAnotherReasonThanTheConditionIsNoLostRace() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        for (Fault.Status refusal : List.of(
                new Fault.Status(403, "AccessDenied"),
                new Fault.Status(404, "NoSuchBucket"),
                new Fault.Status(400, "InvalidRequest"),
                new Fault.Status(501, "NotImplemented"))) {
            try (FaultRule rule = SERVER.always(request -> true, refusal);
                    Records records = records()) {
                assertUnavailable(() -> records.create(key, node("{}")));
                assertThat(rule.hits()).isPositive();
            }
        }
        assertThat(store.read(key)).isEmpty();
    }

    @Test
    void aStoreThatRefusesOrIsNotThereIsNeverAnEmptyAnswer() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        for (RecordStore broken : List.of(
                RecordStores.open(settings("s3://nosuchbucket/control", Map.of())),
                RecordStores.open(settings("s3://records/control", Map.of("lance.s3.secret-access-key", "wrong"))),
                RecordStores.open(
                        settings("s3://records/control", Map.of("lance.s3.endpoint", "http://127.0.0.1:1"))))) {
            try (broken) {
                assertUnavailable(() -> broken.read(key));
                assertUnavailable(() -> broken.readIfChanged(key, "\"x\""));
                assertUnavailable(() -> broken.list("", null, 10));
            }
        }
    }

    @Test
    void aNotFoundThatIsNotAboutTheKeyIsNoAbsence() {
        try (FaultRule rule = SERVER.always(request -> true, new Fault.Status(404, "NotFound"))) {
            assertUnavailable(() -> store.read(RecordKey.of("f", "a")));
            assertThat(rule.hits()).isPositive();
        }
    }

    @Test
    void readsSurviveOneFault() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        written(store.createIfAbsent(key, bytes("x")));
        for (Fault fault : List.of(Fault.Status.slowDown(), new Fault.DropRequest(), new Fault.DropReply())) {
            FaultRule rule = SERVER.next(1, request -> request.method().equals("GET"), fault);
            assertThat(store.read(key)).isPresent();
            assertThat(rule.hits()).isEqualTo(1);
        }
    }

    @Test
    void aStoreThatComesBackIsUsedAgain() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        written(store.createIfAbsent(key, bytes("x")));
        SERVER.stop();
        assertUnavailable(() -> store.read(key));
        SERVER.start();
        assertThat(store.read(key)).isPresent();
    }

    @Test
    void aListingOfUnchangedRecordsReadsNone() {
        String folder = newFolder();
        try (Records records = records();
                Records other = records()) {
            for (int i = 0; i < 30; i++) {
                other.create(RecordKey.of(folder, "r" + i), node("{\"count\":0}"));
            }
            FaultRule reads = SERVER.watch(
                    request -> request.method().equals("GET") && request.path().contains(folder));
            assertThat(records.all(folder, Unreadable.FAIL)).hasSize(30);
            assertThat(reads.hits()).isEqualTo(30);
            assertThat(records.all(folder, Unreadable.FAIL)).hasSize(30);
            assertThat(reads.hits()).isEqualTo(30);
            other.mutate(RecordKey.of(folder, "r7"), RecordsContract::counted);
            other.tombstone(RecordKey.of(folder, "r8"), record -> true);
            int before = reads.hits();
            assertThat(records.all(folder, Unreadable.FAIL))
                    .hasSize(29)
                    .filteredOn(record -> record.content().path("count").asInt() == 1)
                    .hasSize(1);
            assertThat(reads.hits()).isEqualTo(before + 2);
        }
    }

    @Test
    void freshReadsOfOneRecordAtTheSameTimeShareOneQuestionPutAfterTheyCame() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        int late = 10;
        try (Records records = records();
                Records other = records();
                ExecutorService threads = Executors.newCachedThreadPool()) {
            records.create(key, node("{\"count\":0}"));
            FaultRule held = SERVER.always(
                    request -> request.path().endsWith(key.value()) && !request.isWrite(),
                    new Fault.Delay(Duration.ofMinutes(1)));
            CompletableFuture<Optional<CatalogRecord>> first =
                    CompletableFuture.supplyAsync(() -> records.readFresh(key), threads);
            await().until(() -> held.hits() == 1);
            FaultRule reads = SERVER.watch(request -> request.path().endsWith(key.value()) && !request.isWrite());
            CountDownLatch arriving = new CountDownLatch(late);
            List<CompletableFuture<Optional<CatalogRecord>>> answers = Stream.generate(
                            () -> CompletableFuture.supplyAsync(
                                    () -> {
                                        arriving.countDown();
                                        return records.readFresh(key);
                                    },
                                    threads))
                    .limit(late)
                    .toList();
            arriving.await();
            held.close();
            assertThat(first.get()).isPresent();
            for (CompletableFuture<Optional<CatalogRecord>> answer : answers) {
                assertThat(answer.get()).isPresent();
            }
            assertThat(reads.hits()).isBetween(1, late - 1);
            other.mutate(key, RecordsContract::counted);
            assertThat(records.readFresh(key)
                            .orElseThrow()
                            .content()
                            .path("count")
                            .asInt())
                    .isEqualTo(1);
        }
    }

    @Test
    void objectsOfOthersBelowTheRootAreLeftOutOfListings() {
        try (RecordStore other = RecordStores.open(settings("s3://records/control/deeper", Map.of()))) {
            written(other.createIfAbsent(RecordKey.of("x", "a"), bytes("x")));
            assertThat(store.list("deeper/", null, 10).entries())
                    .extracting(entry -> entry.key().value())
                    .containsExactly("deeper/x/a.json");
            assertThat(other.list("", null, 10).entries())
                    .extracting(entry -> entry.key().value())
                    .containsExactly("x/a.json");
        }
    }

    private static CatalogProperties settings(String root, Map<String, String> more) {
        Map<String, String> values = new HashMap<>(SERVER.settings());
        values.put("lance.control.root", root);
        values.putAll(more);
        return Settings.of(values);
    }

    private static ObjectNode counted(Runnable afterRead, ObjectNode node) {
        afterRead.run();
        return RecordsContract.counted(node);
    }

    private static void repeat(int times, Runnable action) {
        for (int i = 0; i < times; i++) {
            action.run();
        }
    }

    /**
     * Runs a change whose first write is done but not confirmed, and lets others write before the change reads again.
     *
     * @param change is given what it must call between its first read and its write
     */
    private static <T> T duringLostReply(RecordKey key, Function<Runnable, T> change, Runnable meanwhile)
            throws Exception {
        Predicate<S3Request> ofKey = request -> request.path().endsWith(key.value());
        AtomicReference<FaultRule> heldRead = new AtomicReference<>();
        Runnable afterRead = () -> {
            if (heldRead.get() == null) {
                SERVER.next(1, ofKey.and(S3Request::isWrite), new Fault.DropReply());
                heldRead.set(SERVER.next(
                        1, ofKey.and(Predicate.not(S3Request::isWrite)), new Fault.Delay(Duration.ofMinutes(1))));
            }
        };
        CompletableFuture<T> result = CompletableFuture.supplyAsync(() -> change.apply(afterRead));
        await().until(() -> heldRead.get() != null && heldRead.get().hits() == 1);
        meanwhile.run();
        heldRead.get().close();
        try {
            return result.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }
}
