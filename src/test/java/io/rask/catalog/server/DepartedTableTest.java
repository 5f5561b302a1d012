package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Readers of a table that goes while they read it. */
@ExtendWith(SharedCatalog.Provider.class)
class DepartedTableTest {
    private static final int ROUNDS = 15;
    private static final List<Field> COLUMNS =
            List.of(Field.nullable("id", ArrowStreams.INT64), Field.nullable("text", ArrowStreams.UTF8));
    private static final String WORDS =
            "{\"k\":3,\"vector\":[],\"full_text_query\":{\"string_query\":{\"query\":\"one\",\"columns\":[\"text\"]}}}";
    private static final List<String> READS = List.of(
            "/analyze_plan " + WORDS,
            "/query " + WORDS,
            "/query {\"k\":9,\"vector\":[],\"filter\":\"id > 3\",\"offset\":1}",
            "/count_rows {\"predicate\":\"id > 3\"}",
            "/stats {}",
            "/index/list {}",
            "/version/list {}");

    private final SharedCatalog catalog;
    private final RunningServer server;

    DepartedTableTest(SharedCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
    }

    @Test
    void aReaderOfATableThatIsDroppedLearnsThatItIsGone() throws Exception {
        byte[] rows = ArrowStreams.of(
                COLUMNS,
                IntStream.range(0, 200).mapToObj(i -> row(i, "one " + i)).toList());
        try (Race race = new Race(READS.size() + 1)) {
            for (int round = 0; round < ROUNDS; round++) {
                String table = catalog.freshTable();
                server.arrow(table + "/create?mode=overwrite", rows).ok();
                List<Answer> last = race.run(runner -> runner == READS.size()
                        ? server.post(table + "/drop")
                        : untilItIsGone(table, READS.get(runner)));
                for (Answer answer : last.subList(0, READS.size())) {
                    assertThat(answer.code()).as(answer.text()).isEqualTo(4);
                }
            }
        }
    }

    /** The first answer that is none of a table that is there. */
    private Answer untilItIsGone(String table, String read) {
        String[] parts = read.split(" ", 2);
        Answer answer;
        do {
            answer = server.post(table + parts[0], parts[1]);
        } while (answer.status() == 200);
        return answer;
    }
}
