package io.rask.catalog.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RawPathTest {

    @ParameterizedTest
    @CsvSource({
        "/v1/table/ns%24t/describe, /v1/table/ns%24t/describe, ns%24t",
        "/v1/table/ns1$n%20s/2/describe/, /v1/table/ns1$n%20s%2F2/describe, ns1$n%20s/2",
        "/v1/table/ns;x$t/drop, /v1/table/ns%3Bx$t/drop, ns;x$t",
        "/v1/table/t/index/list, /v1/table/t/index/list, t",
        "/v1/table/a/b/index/my;idx/stats/, /v1/table/a%2Fb/index/my%3Bidx/stats, a/b",
        "/v1/table/t/tags/delete, /v1/table/t/tags/delete, t",
        "/v1/table/t/version/delete, /v1/table/t/version/delete, t",
        "/v1/table/t/index/i/drop, /v1/table/t/index/i/drop, t",
        "/v1/table/list/describe, /v1/table/list/describe, list",
        "/v1/table/index/stats, /v1/table/index/stats, index",
        "/v1/namespace/a/table/list, /v1/namespace/a/table/list, a",
        "/v1/namespace/table/list, /v1/namespace/table/list, table",
        "/v1/namespace/%24/list, /v1/namespace/%24/list, %24",
        "/v1/namespace/./list, /v1/namespace/./list, .",
        "/v1/namespace/list, /v1/namespace/./list, .",
        "/v1/namespace/list/, /v1/namespace/./list, .",
        "/v1/transaction/a$t$1/alter, /v1/transaction/a$t$1/alter, a$t$1",
        "/v1/materialized_view/a$v/refresh, /v1/materialized_view/a$v/refresh, a$v",
        "/v1/table/../describe, /v1/table/../describe, ..",
        "/management/v1/table/a$t/undrop, /v1/table/a$t/undrop, a$t",
    })
    void theIdIsWhatStandsBeforeTheLongestKnownTail(String uri, String canonical, String id) {
        RawPath path = RawPath.parse(uri);
        assertThat(path.canonical()).isEqualTo(canonical);
        assertThat(path.objectId()).contains(new RawId(id));
    }

    @Test
    void anEmptyIdIsKeptForTheRefusal() {
        assertThat(RawPath.parse("/v1/table//describe").objectId()).contains(new RawId(""));
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/table, /v1/table",
        "/v1/table/, /v1/table",
        "/v1/table/batch-commit, /v1/table/batch-commit",
        "/v1/table/version/batch-create/, /v1/table/version/batch-create",
        "/v1/table/t/unknown, /v1/table/t/unknown",
        "/v1/projects/, /v1/projects",
        "/v1/projects/a;b, /v1/projects/a%3Bb",
        "/management/v1/projects/a, /v1/projects/a",
        "/management/v1/warehouses/-/bindings/, /v1/warehouses/-/bindings",
        "/management/v1/table/t/describe, /management/v1/table/t/describe",
        "/management/v1/table, /management/v1/table",
        "/livez, /livez",
        "/, /",
        "//, /",
    })
    void otherRoutesNameNoObject(String uri, String canonical) {
        RawPath path = RawPath.parse(uri);
        assertThat(path.canonical()).isEqualTo(canonical);
        assertThat(path.objectId()).isEmpty();
    }

    @Test
    void aSlashAtTheEndOfATableRouteIsLanceDbsDialect() {
        assertThat(RawPath.parse("/v1/table/t/describe/").lanceDbDialect()).isTrue();
        assertThat(RawPath.parse("/v1/table/").lanceDbDialect()).isTrue();
        assertThat(RawPath.parse("/v1/table/t/describe").lanceDbDialect()).isFalse();
        assertThat(RawPath.parse("/v1/namespace/a/list/").lanceDbDialect()).isFalse();
        assertThat(RawPath.parse("/v1/projects/").lanceDbDialect()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/v1/table/{id}/describe",
                "/v1/table/{id}/index/{index_name}/stats",
                "/v1/table/batch-commit",
                "/v1/projects/{id}",
                "/livez"
            })
    void servedRoutesAreCovered(String pattern) {
        assertThat(RouteTails.covers(pattern)).isTrue();
    }

    @Test
    void aRouteWhoseTailIsUnknownIsNotCovered() {
        assertThat(RouteTails.covers("/v1/table/{id}/no_such_operation")).isFalse();
        assertThat(RouteTails.covers("/v1/transaction/{id}/drop")).isFalse();
    }
}
