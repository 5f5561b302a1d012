package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.INT64;
import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.arrow.vector.types.pojo.Schema;
import org.junit.jupiter.api.Test;

class TableWriterTest extends TableTest {
    private static final Schema PEOPLE = schema(field("id", INT64), field("name", UTF8));

    @Test
    void createMakesATableOfAStream() {
        WriteResult result = writer.create(table, stream(PEOPLE, List.of(List.of(1, "a"), List.of(2, "b"))));

        assertThat(result).isEqualTo(new WriteResult(1, 2));
        assertThat(rows()).isEqualTo(2);
    }
}
