package io.rask.catalog.server;

import static io.rask.catalog.server.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.S3Catalog;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** Materialized views whose tables and sources are in a bucket. */
class ViewsOnS3Test {
    @RegisterExtension
    static final S3Catalog CATALOG = S3Catalog.with(Map.of("lance.jobs.poll", "100ms"));

    private static final String TEAS = "SELECT id, price * 2 AS twice FROM orders WHERE item = 'tea'";

    private final RunningServer server = CATALOG.server();
    private final ViewedTables tables = new ViewedTables(server, "sales");

    private String mode() {
        return tables.refreshed("teas").path("mode").asString();
    }

    @Test
    void aViewIsMadeRefreshedInAllWaysDescribedAndDropped() {
        tables.orders("orders", 1, "tea", 3.5, 2, "jam", 2.0, 3, "tea", 5.0);
        assertThat(tables.create(
                                "teas",
                                TEAS,
                                true,
                                Field.nullable("id", ArrowStreams.INT64),
                                Field.nullable("twice", ArrowStreams.DOUBLE))
                        .status())
                .isEqualTo(201);
        assertThat(tables.described("teas").path("freshness").asString()).isEqualTo("empty");

        assertThat(mode()).isEqualTo("full");
        assertThat(tables.values("teas", "twice")).containsExactly(7.0, 10.0);
        assertThat(mode()).isEqualTo("unchanged");
        tables.addOrders("orders", 4, "tea", 1.0, 5, "jam", 1.0);
        assertThat(tables.described("teas").path("freshness").asString()).isEqualTo("stale");
        assertThat(mode()).isEqualTo("incremental");
        assertThat(tables.values("teas", "id")).containsExactly(1L, 3L, 4L);
        server.post(tables.table("orders") + "/delete", "{\"predicate\":\"id = 1\"}")
                .ok();
        assertThat(mode()).isEqualTo("full");
        assertThat(tables.values("teas", "id")).containsExactly(3L, 4L);

        JsonNode now = tables.described("teas");
        assertThat(now.path("freshness").asString()).as(now.toString()).isEqualTo("fresh");
        assertThat(now.path("query").asString()).isEqualTo(TEAS);
        assertThat(now.at("/sources/0/version").asLong()).isEqualTo(3);
        refused(server.post(tables.table("teas") + "/delete", "{\"predicate\":\"true\"}"), 409, 19);
        assertThat(tables.done(ViewedTables.job(server.post(tables.view("teas") + "/drop", "{}")))
                        .path("dropped")
                        .asBoolean())
                .isTrue();
        refused(server.post(tables.table("teas") + "/exists"), 404, 4);
        assertThat(tables.values("orders", "id")).containsExactly(2L, 3L, 4L, 5L);
    }

    @Test
    void aJoinIsMadeWithItsRowsAndReplacedWhenASourceChanges() {
        tables.orders("bought", 1, "tea", 3.5, 2, "jam", 2.0);
        tables.orders("sold", 7, "tea", 9.0);
        tables.made("margins", "SELECT s.price - b.price AS margin FROM bought b JOIN sold s ON b.item = s.item");
        assertThat(tables.values("margins", "margin")).containsExactly(5.5);
        tables.addOrders("sold", 8, "jam", 2.5);
        assertThat(tables.refreshed("margins").path("mode").asString()).isEqualTo("full");
        assertThat(tables.values("margins", "margin")).containsExactly(0.5, 5.5);
    }
}
