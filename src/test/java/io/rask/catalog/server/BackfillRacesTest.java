package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.ColumnBackfill;
import io.rask.catalog.lance.FillRun;
import io.rask.catalog.lance.FilledFragment;
import io.rask.catalog.lance.Filling;
import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.table.Tables;
import io.rask.catalog.testing.RunningServer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lance.CommitBuilder;
import org.lance.Dataset;
import org.lance.Fragment;
import org.lance.FragmentMetadata;
import org.lance.Transaction;
import org.lance.WriteParams;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.operation.Append;

/** Writers that come between the moment at which values are computed and the one at which they are committed. */
@ExtendWith(SharedCatalog.Provider.class)
class BackfillRacesTest {
    private static final Filling TWICE = new Filling("twice", null, null, null, 1);

    private final RunningServer server;
    private final Backfilled table;
    private final ColumnBackfill backfill;
    private final TableLocation location;
    private final List<FilledFragment> kept = new ArrayList<>();

    BackfillRacesTest(SharedCatalog catalog) {
        this.server = catalog.server();
        SharedCatalog.Home home = catalog.freshNamespace();
        this.table = Backfilled.made(server, home.table("t"), new long[] {1, 2, 3}, new long[] {4, 5});
        this.backfill = server.bean(ColumnBackfill.class);
        this.location = server.bean(Tables.class)
                .require(new ObjectId(List.of(home.namespace(), "t")))
                .location();
    }

    private FillRun computed() {
        FillRun run = backfill.begin(location, null, TWICE, kept);
        while (!run.isDone()) {
            kept.addAll(run.step());
        }
        return run;
    }

    private static FillRun.Outcome commit(FillRun run) {
        return run.commit(UUID.randomUUID().toString());
    }

    private void post(String operation, String body) {
        assertThat(server.post(table.address() + operation, body).status()).isLessThan(300);
    }

    private static void requireConflict(FillRun run) {
        assertThatThrownBy(() -> commit(run))
                .isInstanceOfSatisfying(
                        CatalogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONCURRENT_MODIFICATION));
    }

    @Test
    void rowsAndMetadataThatComeMeanwhileStayAndTheRowsAreFilledToo() {
        try (FillRun run = computed()) {
            table.insert(6, 7).ok();
            post("/update_field_metadata", "{\"updates\":[{\"path\":\"twice\",\"metadata\":{\"unit\":\"none\"}}]}");
            requireConflict(run);
        }
        assertThat(table.count("twice IS NULL")).isEqualTo(7);
        assertThat(kept).hasSize(2);
        try (FillRun run = computed()) {
            assertThat(kept).hasSize(3);
            FillRun.Outcome done = commit(run);
            assertThat(done).isEqualTo(new FillRun.Outcome(7, 0, table.version()));
        }
        assertThat(table.count("twice = id * 2 and n = id")).isEqualTo(7);
        assertThat(server.post(table.address() + "/describe?load_detailed_metadata=true")
                        .ok()
                        .json()
                        .at("/schema/fields/2/metadata/unit")
                        .asString())
                .isEqualTo("none");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/delete {\"predicate\":\"id = 2\"}",
                "/update {\"predicate\":\"id = 2\",\"updates\":[[\"n\",\"20\"]]}",
                "/add_columns {\"new_columns\":[{\"name\":\"more\",\"expression\":\"id + 1\"}]}",
                "/alter_columns {\"alterations\":[{\"path\":\"n\",\"data_type\":{\"type\":\"float64\"}}]}"
            })
    void aChangeOfTheSameFragmentsIsAConflictAfterWhichWhatIsStillGoodIsKept(String change) {
        String[] parts = change.split(" ", 2);
        try (FillRun run = computed()) {
            post(parts[0], parts[1]);
            requireConflict(run);
        }
        assertThat(table.count("twice IS NULL")).isEqualTo(table.count("true"));
        int known = kept.size();
        try (FillRun run = computed()) {
            // A fragment that lost a row is looked at anew, and an update has made one that was not there.
            assertThat(kept).hasSize(known + (parts[0].equals("/update") ? 2 : parts[0].equals("/delete") ? 1 : 0));
            commit(run);
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(table.count("true"));
        assertThat(table.count("id = 2")).isEqualTo(parts[0].equals("/delete") ? 0 : 1);
        assertThat(table.count("n = 20")).isEqualTo(parts[0].equals("/update") ? 1 : 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/update {\"predicate\":\"true\",\"updates\":[[\"id\",\"id + 100\"]]}",
                "/alter_columns {\"alterations\":[{\"path\":\"id\",\"data_type\":{\"type\":\"int32\"}}]}",
                "/alter_columns {\"alterations\":[{\"path\":\"twice\",\"data_type\":{\"type\":\"int32\"}}]}",
                "/maintenance/compact {}"
            })
    void whatWasComputedFromOtherValuesOrFragmentsIsComputedAnew(String change) {
        String[] parts = change.split(" ", 2);
        try (FillRun run = computed()) {
            if (parts[0].startsWith("/maintenance")) {
                compact();
            } else {
                post(parts[0], parts[1]);
            }
            requireConflict(run);
        }
        int known = kept.size();
        try (FillRun run = computed()) {
            assertThat(kept.size()).isGreaterThan(known);
            commit(run);
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
    }

    private void compact() {
        try (Dataset dataset = Dataset.open(location.uri())) {
            dataset.compact();
        }
    }

    @Test
    void rowsThatComeBackByARestoreGetValuesOfTheirOwn() {
        long whole = table.version();
        post("/delete", "{\"predicate\":\"id = 2\"}");
        try (FillRun run = computed()) {
            post("/restore", "{\"version\":" + whole + "}");
            requireConflict(run);
        }
        try (FillRun run = computed()) {
            commit(run);
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
    }

    @Test
    void aBranchThatIsMadeAgainGetsNothingThatWasComputedForTheOldOne() {
        post("/branches/create", "{\"name\":\"draft\"}");
        try (FillRun run = backfill.begin(location, "draft", TWICE, kept)) {
            kept.addAll(run.step());
            post("/branches/delete", "{\"name\":\"draft\"}");
            post("/branches/create", "{\"name\":\"draft\"}");
            assertThatThrownBy(() -> commit(run))
                    .isInstanceOfSatisfying(
                            CatalogException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_BRANCH_NOT_FOUND));
        }
        int known = kept.size();
        try (FillRun run = backfill.begin(location, "draft", TWICE, kept)) {
            while (!run.isDone()) {
                kept.addAll(run.step());
            }
            assertThat(kept).hasSize(known + 2);
            commit(run);
        }
        assertThat(server.post(
                                table.address() + "/count_rows",
                                "{\"branch\":\"draft\",\"predicate\":\"twice = id * 2\"}")
                        .text())
                .isEqualTo("5");
    }

    @Test
    void aDropOfTheColumnLeavesNothingToFill() {
        try (FillRun run = computed()) {
            post("/drop_columns", "{\"columns\":[\"twice\"]}");
            requireConflict(run);
        }
        table.declare("twice", "id * 3");
        assertThat(table.count("twice IS NULL")).isEqualTo(5);
        try (FillRun run = computed()) {
            commit(run);
        }
        assertThat(table.count("twice = id * 3")).isEqualTo(5);
    }

    /** What began before the backfill and ends after it. */
    @Test
    void aDeletionThatBeganBeforeLosesNoValue() {
        try (Dataset before = Dataset.open(location.uri());
                FillRun run = computed()) {
            commit(run);
            before.delete("id = 2");
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(4);
        assertThat(table.count("true")).isEqualTo(4);
    }

    @Test
    void aCompactionThatBeganBeforeLosesNoValue() {
        try (Dataset before = Dataset.open(location.uri());
                FillRun run = computed()) {
            commit(run);
            assertThatThrownBy(before::compact).hasMessageContaining("conflict");
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
    }

    @Test
    void rowsThatAreOnTheirWayArriveWithTheirOwnValues() {
        try (BufferAllocator memory = new RootAllocator();
                Dataset before = Dataset.open(location.uri(), memory);
                VectorSchemaRoot rows = VectorSchemaRoot.create(before.getSchema(), memory);
                FillRun run = computed()) {
            for (FieldVector column : rows.getFieldVectors()) {
                ((BigIntVector) column).setSafe(0, 50);
            }
            rows.setRowCount(1);
            WriteParams append = new WriteParams.Builder()
                    .withMode(WriteParams.WriteMode.APPEND)
                    .build();
            List<FragmentMetadata> fragments = Fragment.create(location.uri(), memory, rows, append);
            commit(run);
            try (Transaction late = new Transaction.Builder()
                            .readVersion(before.version())
                            .operation(Append.builder().fragments(fragments).build())
                            .build();
                    Dataset after = new CommitBuilder(before).execute(late)) {
                assertThat(after.version()).isEqualTo(before.version() + 2);
            }
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
        assertThat(table.count("twice = 50 and id = 50")).isEqualTo(1);
    }

    private static IndexOptions late(String column) {
        IndexParams btree = IndexParams.builder()
                .setScalarIndexParams(ScalarIndexParams.create("btree"))
                .build();
        return IndexOptions.builder(List.of(column), IndexType.BTREE, btree)
                .withIndexName("late")
                .build();
    }

    @Test
    void anIndexThatBeganBeforeDoesNotAnswerWithOldValues() {
        try (FillRun run = computed()) {
            commit(run);
        }
        post("/update", "{\"predicate\":\"true\",\"updates\":[[\"twice\",\"7\"]]}");
        try (Dataset before = Dataset.open(location.uri());
                FillRun run = computed()) {
            commit(run);
            assertThatThrownBy(() -> before.createIndex(late("twice"))).hasMessageContaining("conflict");
            before.createIndex(late("n"));
        }
        assertThat(table.count("twice = 7")).isZero();
        assertThat(table.count("twice = 10")).isEqualTo(1);
        assertThat(table.count("n = 5")).isEqualTo(1);
        assertThat(new IndexedTable(server, table.address()).names("{}")).containsExactly("late");
    }

    @Test
    void twoBackfillsOfOneColumnDoNotMix() {
        try (FillRun one = computed();
                FillRun other = backfill.begin(location, null, TWICE, List.of())) {
            while (!other.isDone()) {
                other.step();
            }
            commit(one);
            requireConflict(other);
        }
        assertThat(table.count("twice = id * 2")).isEqualTo(5);
    }
}
