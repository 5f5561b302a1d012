package io.rask.catalog.record;

import static io.rask.catalog.record.RecordStoreContract.bytes;
import static io.rask.catalog.record.RecordStoreContract.newFolder;
import static io.rask.catalog.record.RecordStoreContract.written;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.Records.Creation;
import io.rask.catalog.record.Records.Removal;
import io.rask.catalog.record.Records.Unreadable;
import io.rask.catalog.testing.Race;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What {@link Records} must do over any store. */
interface RecordsContract {
    int WRITERS = 16;
    JsonMapper JSON = JsonMapper.shared();

    RecordStore store();

    /** Records over {@link #store}, as another server would have them. */
    default Records records() {
        return new Records(store(), Clock.systemUTC());
    }

    static ObjectNode node(String json) {
        return (ObjectNode) JSON.readTree(json);
    }

    static String text(RecordStore store, RecordKey key) {
        return new String(store.read(key).orElseThrow().bytes(), UTF_8);
    }

    static ObjectNode counted(ObjectNode node) {
        return node.put("count", node.path("count").asInt() + 1);
    }

    /** Tries again while others win. */
    static <T> T persist(Supplier<T> change) {
        for (; ; ) {
            try {
                return change.get();
            } catch (CatalogException e) {
                if (e.code() != ErrorCode.CONCURRENT_MODIFICATION) {
                    throw e;
                }
            }
        }
    }

    static void assertUnavailable(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SERVICE_UNAVAILABLE));
    }

    @Test
    default void aCreatedRecordHasTheFieldsEveryRecordHas() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        Instant before = Instant.now().minusMillis(1);
        try (Records records = records()) {
            CatalogRecord created = records.create(key, node("{'id':'a','write_id':'forged'}".replace('\'', '"')))
                    .record();
            CatalogRecord read = records.read(key).orElseThrow();
            assertThat(read.content()).isEqualTo(created.content());
            assertThat(read.content().path("format").asInt()).isEqualTo(1);
            assertThat(read.content().path("id").asString()).isEqualTo("a");
            assertThat(read.content().path("created_at").asString()).matches("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z");
            assertThat(read.writeId()).isNotEqualTo("forged").isNotEmpty();
            assertThat(read.createdAt()).isBetween(before, Instant.now()).isEqualTo(read.updatedAt());
        }
    }

    @Test
    default void createGivesTheExistingRecordBack() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            CatalogRecord first = records.create(key, node("{\"by\":1}")).record();
            Creation second = records.create(key, node("{\"by\":2}"));
            assertThat(second).isInstanceOf(Creation.Existing.class);
            assertThat(second.record().content()).isEqualTo(first.content());
        }
    }

    @Test
    default void identicalContentWrittenTwiceIsTwoVersions() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            CatalogRecord first = records.put(key, node("{\"x\":1}"));
            String etag = store().read(key).orElseThrow().etag();
            CatalogRecord second = records.put(key, node("{\"x\":1}"));
            assertThat(second.writeId()).isNotEqualTo(first.writeId());
            assertThat(second.createdAt()).isEqualTo(first.createdAt());
            assertThat(store().read(key).orElseThrow().etag()).isNotEqualTo(etag);
        }
    }

    @Test
    default void aChangeKeepsFieldsNobodyKnowsExactlyAsTheyWere() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        String unknown = "{\"n\":12345678901234567890.10,\"deep\":[{\"x\":null}],\"text\":\"\\u00e9\\ud83d\\ude00\"}";
        String stored = "{\"format\":1,\"write_id\":\"w\",\"created_at\":\"2020-01-01T00:00:00Z\","
                + "\"updated_at\":\"2020-01-01T00:00:00Z\",\"later\":" + unknown + "}";
        written(store().createIfAbsent(key, bytes(stored)));
        try (Records records = records()) {
            records.mutate(key, node -> node.put("mine", true));
            assertThat(text(store(), key)).contains("12345678901234567890.10").contains("\"mine\":true");
            JsonNode later = records.read(key).orElseThrow().content().path("later");
            assertThat(later.path("deep").get(0).has("x")).isTrue();
            assertThat(later.path("text").asString()).isEqualTo("\u00e9\ud83d\ude00");
            assertThat(records.read(key).orElseThrow().createdAt()).isEqualTo(Instant.parse("2020-01-01T00:00:00Z"));
        }
    }

    @Test
    default void aChangeThatChangesNothingWritesNothing() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            CatalogRecord created = records.create(key, node("{\"x\":1}")).record();
            Optional<CatalogRecord> same = records.mutate(key, node -> node.put("x", 1));
            assertThat(same.orElseThrow().writeId()).isEqualTo(created.writeId());
            assertThat(records.read(key).orElseThrow().writeId()).isEqualTo(created.writeId());
        }
    }

    @Test
    default void aChangeOfARecordThatIsNotThereIsVanishedNotConflict() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            assertThat(records.mutate(key, RecordsContract::counted)).isEmpty();
            records.create(key, node("{}"));
            records.tombstone(key, record -> true);
            assertThat(records.mutate(key, RecordsContract::counted)).isEmpty();
            assertThat(records.read(key)).isEmpty();
        }
    }

    @Test
    default void aChangeThatAlwaysMeetsAnotherOneEndsAsConcurrentModification() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        AtomicInteger calls = new AtomicInteger();
        try (Records records = records();
                Records other = records()) {
            records.create(key, node("{\"count\":0}"));
            assertThatThrownBy(() -> records.mutate(key, node -> {
                        calls.incrementAndGet();
                        other.mutate(key, RecordsContract::counted);
                        return node.put("mine", true);
                    }))
                    .isInstanceOfSatisfying(
                            CatalogException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.CONCURRENT_MODIFICATION));
            assertThat(calls).hasValue(6);
            assertThat(records.read(key).orElseThrow().content().has("mine")).isFalse();
        }
    }

    @Test
    default void aChangeIsMadeAgainOnTheFreshRecordAfterALostRace() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        AtomicInteger calls = new AtomicInteger();
        try (Records records = records();
                Records other = records()) {
            records.create(key, node("{}"));
            records.mutate(key, node -> {
                if (calls.incrementAndGet() == 1) {
                    other.mutate(key, fresh -> fresh.put("theirs", true));
                }
                return node.put("mine", true);
            });
            ObjectNode content = records.read(key).orElseThrow().content();
            assertThat(content.path("mine").asBoolean()).isTrue();
            assertThat(content.path("theirs").asBoolean()).isTrue();
        }
    }

    @Test
    default void aFailureOfTheChangeLeavesTheRecord() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            CatalogRecord created = records.create(key, node("{}")).record();
            assertThatThrownBy(() -> records.mutate(key, node -> {
                        throw CatalogException.invalid("no");
                    }))
                    .hasMessage("no");
            assertThat(records.read(key).orElseThrow().writeId()).isEqualTo(created.writeId());
        }
    }

    @Test
    default void aRemovedRecordIsAbsentEverywhereAndStaysInPlaceAsATombstone() {
        String folder = newFolder();
        RecordKey key = RecordKey.of(folder, "a");
        try (Records records = records()) {
            records.create(key, node("{\"secret\":1}"));
            assertThat(records.tombstone(key, record -> true))
                    .isInstanceOfSatisfying(
                            Removal.Removed.class,
                            removed -> assertThat(removed.last()
                                            .content()
                                            .path("secret")
                                            .asInt())
                                    .isEqualTo(1));
            assertThat(records.read(key)).isEmpty();
            assertThat(records.readFresh(key)).isEmpty();
            assertThat(records.all(folder, Unreadable.FAIL)).isEmpty();
            assertThat(records.tombstone(key, record -> true)).isInstanceOf(Removal.Absent.class);
            ObjectNode inPlace = node(text(store(), key));
            assertThat(inPlace.path("tombstone").asBoolean()).isTrue();
            assertThat(inPlace.has("secret")).isFalse();
        }
    }

    @Test
    default void aRemovalWhosePreconditionDoesNotHoldIsRefused() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            CatalogRecord created =
                    records.create(key, node("{\"protected\":true}")).record();
            Removal removal = records.tombstone(
                    key, record -> !record.content().path("protected").asBoolean());
            assertThat(removal)
                    .isInstanceOfSatisfying(
                            Removal.Refused.class,
                            refused -> assertThat(refused.current().writeId()).isEqualTo(created.writeId()));
            assertThat(records.read(key)).isPresent();
        }
    }

    @Test
    default void aRecordCreatedAgainHasNothingOfTheRemovedOne() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            records.create(key, node("{\"old\":1,\"tombstone\":true}"));
            records.tombstone(key, record -> true);
            Creation again = records.create(key, node("{\"new\":1}"));
            assertThat(again).isInstanceOf(Creation.Created.class);
            ObjectNode content = records.read(key).orElseThrow().content();
            assertThat(content.has("old")).isFalse();
            assertThat(content.has("tombstone")).isFalse();
            assertThat(content.path("new").asInt()).isEqualTo(1);
        }
    }

    @Test
    default void everyRaceToCreateHasOneCreatorAndTheOthersSeeItsRecord() throws Exception {
        String folder = newFolder();
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            for (int round = 0; round < 20; round++) {
                RecordKey key = RecordKey.of(folder, "round-" + round);
                List<Creation> creations = race.run(runner -> records.create(key, node("{\"runner\":" + runner + "}")));
                assertThat(creations)
                        .filteredOn(Creation.Created.class::isInstance)
                        .hasSize(1);
                assertThat(creations)
                        .extracting(creation -> creation.record().writeId())
                        .containsOnly(records.read(key).orElseThrow().writeId());
            }
        }
    }

    @Test
    default void everyRaceToCreateOverATombstoneHasOneCreator() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            records.create(key, node("{}"));
            for (int round = 0; round < 20; round++) {
                records.tombstone(key, record -> true);
                List<Creation> creations = race.run(runner -> records.create(key, node("{\"runner\":" + runner + "}")));
                assertThat(creations)
                        .filteredOn(Creation.Created.class::isInstance)
                        .hasSize(1);
                assertThat(creations)
                        .extracting(creation -> creation.record().writeId())
                        .containsOnly(records.read(key).orElseThrow().writeId());
            }
        }
    }

    @Test
    default void aContendedCountLosesAndDoublesNothing() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "counter");
        int each = 5;
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            records.create(key, node("{\"count\":0}"));
            race.run(runner -> {
                for (int i = 0; i < each; i++) {
                    persist(() -> records.mutate(key, RecordsContract::counted).orElseThrow());
                }
                return runner;
            });
            assertThat(records.read(key).orElseThrow().content().path("count").asInt())
                    .isEqualTo(WRITERS * each);
        }
    }

    @Test
    default void aRemovalAgainstChangesEitherSeesAChangeOrMakesItVanish() throws Exception {
        String folder = newFolder();
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            for (int round = 0; round < 20; round++) {
                RecordKey key = RecordKey.of(folder, "round-" + round);
                records.create(key, node("{\"count\":0}"));
                List<Integer> results = race.run(runner -> runner == 0
                        ? -removedCount(persist(() -> records.tombstone(key, record -> true)))
                        : persist(() -> records.mutate(key, RecordsContract::counted))
                                        .isPresent()
                                ? 1
                                : 0);
                assertThat(records.read(key)).isEmpty();
                assertThat(results.stream().mapToInt(Integer::intValue).sum())
                        .as("changes that said they were made, less those the removed record had")
                        .isZero();
            }
        }
    }

    private static int removedCount(Removal removal) {
        assertThat(removal).isInstanceOf(Removal.Removed.class);
        return ((Removal.Removed) removal).last().content().path("count").asInt();
    }

    @Test
    default void creatorsAgainstRemoversAlternate() throws Exception {
        RecordKey key = RecordKey.of(newFolder(), "a");
        AtomicInteger created = new AtomicInteger();
        AtomicInteger removed = new AtomicInteger();
        try (Race race = new Race(WRITERS);
                Records records = records()) {
            race.run(runner -> {
                for (int i = 0; i < 6; i++) {
                    if (runner % 2 == 0) {
                        Creation creation = persist(() -> records.create(key, node("{}")));
                        created.addAndGet(creation instanceof Creation.Created ? 1 : 0);
                    } else {
                        Removal removal = persist(() -> records.tombstone(key, record -> true));
                        removed.addAndGet(removal instanceof Removal.Removed ? 1 : 0);
                    }
                }
                return runner;
            });
            assertThat(created.get() - removed.get())
                    .isEqualTo(records.read(key).isPresent() ? 1 : 0);
            assertThat(created.get()).isPositive();
        }
    }

    @Test
    default void aCorruptRecordIsLeftOutOfAListingButBlocksAStrictOne() {
        String folder = newFolder();
        try (Records records = records()) {
            records.create(RecordKey.of(folder, "a"), node("{}"));
            records.create(RecordKey.of(folder, "z"), node("{}"));
            for (String bad : List.of("", "{", "[]", "{}", "{\"format\":1}", "{\"format\":2,\"write_id\":\"w\"}")) {
                RecordKey key = RecordKey.of(folder, "bad-" + RecordKey.hashed("bad", bad));
                written(store().createIfAbsent(key, bytes(bad)));
                assertUnavailable(() -> records.read(key));
                assertUnavailable(() -> records.readFresh(key));
                assertUnavailable(() -> records.mutate(key, RecordsContract::counted));
                assertUnavailable(() -> records.create(key, node("{}")));
                assertUnavailable(() -> records.tombstone(key, record -> true));
            }
            assertThat(records.all(folder, Unreadable.SKIP))
                    .extracting(record -> record.key().name())
                    .containsExactly("a", "z");
            assertUnavailable(() -> records.all(folder, Unreadable.FAIL));
        }
    }

    @Test
    default void aListingHasTheRecordsDirectlyInItsFolderPageByPage() {
        String folder = newFolder();
        try (Records records = records()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                records.create(RecordKey.of(folder, "r" + (10 + i)), node("{}"));
                records.create(RecordKey.of(folder + "/r15x", "nested-" + i), node("{}"));
                names.add("r" + (10 + i));
            }
            List<String> listed = new ArrayList<>();
            @Nullable String after = null;
            do {
                RecordPage page = records.list(folder, after, 4, Unreadable.FAIL);
                page.records().forEach(record -> listed.add(record.key().name()));
                after = page.next();
            } while (after != null);
            assertThat(listed).isEqualTo(names);
        }
    }

    @Test
    default void aFreshReadSeesWhatAnotherServerWrote() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records();
                Records other = records()) {
            assertThat(records.readFresh(key)).isEmpty();
            other.create(key, node("{\"count\":0}"));
            for (int i = 1; i <= 20; i++) {
                other.mutate(key, RecordsContract::counted);
                assertThat(records.readFresh(key)
                                .orElseThrow()
                                .content()
                                .path("count")
                                .asInt())
                        .isEqualTo(i);
            }
            other.tombstone(key, record -> true);
            assertThat(records.readFresh(key)).isEmpty();
        }
    }

    @Test
    default void contentHandedOutIsTheCallersOwn() {
        RecordKey key = RecordKey.of(newFolder(), "a");
        try (Records records = records()) {
            records.create(key, node("{\"x\":1}"));
            records.readFresh(key).orElseThrow().content().put("x", 2);
            assertThat(records.readFresh(key).orElseThrow().content().path("x").asInt())
                    .isEqualTo(1);
        }
    }
}
