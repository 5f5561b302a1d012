package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Race;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lance.Dataset;

class DatasetHandlesTest extends TableTest {
    @Test
    void anUnchangedTableIsOpenedOnce() {
        writer.create(table, one());

        try (DatasetLease a = handles.open(table, TableVersion.LATEST);
                DatasetLease b = handles.open(table, TableVersion.ofBranch("main"))) {
            assertThat(a.dataset()).isSameAs(b.dataset());
        }
        try (DatasetLease a = handles.open(table, new TableVersion(null, 1L));
                DatasetLease b = handles.open(table, new TableVersion("", 1L))) {
            assertThat(a.dataset()).isSameAs(b.dataset());
        }
    }

    @Test
    void aForeignCommitIsSeenAndTheOldVersionStaysOpenForItsUser() {
        writer.create(table, one());
        Dataset old;
        try (DatasetLease before = handles.open(table, TableVersion.LATEST)) {
            old = before.dataset();
            try (Dataset foreign = Dataset.open(table.uri(), runtime.allocator())) {
                foreign.delete("true");
            }
            assertThat(rows()).isZero();
            assertThat(before.dataset().countRows()).isEqualTo(1);
        }
        assertThat(old.closed()).isTrue();
    }

    @Test
    void aTableWhoseBytesAreGoneIsDeclaredOnlyAndMayComeBack() {
        writer.create(table, one());
        assertThat(rows()).isEqualTo(1);

        Dataset.drop(table.uri(), Map.of());
        assertThat(handles.find(table, TableVersion.LATEST)).isEmpty();
        failure(ErrorCode.INVALID_TABLE_STATE, () -> handles.open(table, new TableVersion(null, 1L)));
        handles.invalidate(table.uri());
        writer.create(table, one());
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void whatIsInvalidatedIsClosedWhenItsLastUserLeaves() {
        writer.create(table, one());
        Dataset dataset;
        try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
            dataset = lease.dataset();
            handles.invalidate(table.uri());
            assertThat(dataset.countRows()).isEqualTo(1);
        }
        assertThat(dataset.closed()).isTrue();
    }

    @Test
    void usersAndInvalidationsAtOneTimeNeverMeetAClosedTable() throws Exception {
        writer.create(table, one());
        try (Race race = new Race(8)) {
            race.run(runner -> {
                for (int i = 0; i < 100; i++) {
                    if (runner == 0) {
                        handles.invalidate(table.uri());
                    } else {
                        assertThat(rows(runner % 2 == 0 ? TableVersion.LATEST : new TableVersion(null, 1L)))
                                .isEqualTo(1);
                    }
                }
                return true;
            });
        }
    }

    private static InputStream one() {
        return stream(schema(field("id", INT64)), List.of(List.of(1)));
    }
}
