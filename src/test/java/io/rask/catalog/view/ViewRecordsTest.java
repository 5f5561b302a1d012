package io.rask.catalog.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rask.catalog.lance.TableFacts;
import io.rask.catalog.lance.ViewKeys;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewRecordsTest {
    private static final ViewDefinition DEFINITION = new ViewDefinition(
            ViewDefinition.QUERY, "SELECT id FROM orders", List.of(List.of("sales", "orders")), true, null);
    private static final ViewRefresh REFRESH = new ViewRefresh(
            "job", ViewRefresh.FULL, 2, 7, 1_000, List.of(new ViewRefresh.Read("sales$orders.lance", 3)));

    private static TableFacts facts(Map<String, String> metadata) {
        return new TableFacts(2, Map.of(), metadata, 1, 0);
    }

    @Test
    void whatWasWrittenIsRead() {
        ViewRecords.Found found = ViewRecords.read(facts(ViewRecords.metadata(DEFINITION, REFRESH)))
                .orElseThrow();
        assertThat(found.definition()).isEqualTo(DEFINITION);
        assertThat(found.refresh()).isEqualTo(REFRESH);
        assertThat(ViewRecords.read(facts(Map.of("other", "x")))).isEmpty();
    }

    @Test
    void aRefreshOfOtherSourcesThanThoseOfTheDefinitionIsRefused() {
        ViewRefresh.Read read = REFRESH.sources().getFirst();
        for (List<ViewRefresh.Read> reads : List.of(List.<ViewRefresh.Read>of(), List.of(read, read))) {
            refused(ViewRecords.metadata(DEFINITION, new ViewRefresh("job", ViewRefresh.FULL, 2, 7, 1_000, reads)));
        }
        refused(ViewRecords.metadata(
                new ViewDefinition(ViewDefinition.QUERY, "SELECT id FROM orders", List.of(), true, null), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]", "null", "7", "{\"kind\":\"query\",\"query\":\"x\"}"})
    void aDefinitionThatIsNoneIsRefused(String text) {
        Map<String, String> metadata = new HashMap<>();
        metadata.put(ViewKeys.DEFINITION, text);
        refused(metadata);
    }

    private static void refused(Map<String, String> metadata) {
        assertThatExceptionOfType(CatalogException.class)
                .isThrownBy(() -> ViewRecords.read(facts(metadata)))
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TABLE_STATE));
    }
}
