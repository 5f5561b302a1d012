package io.rask.catalog.lance;

import static io.rask.catalog.lance.ArrowRows.UTF8;
import static io.rask.catalog.lance.ArrowRows.field;
import static io.rask.catalog.lance.ArrowRows.schema;
import static io.rask.catalog.lance.ArrowRows.stream;
import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.junit.jupiter.api.Test;

/** Streams that send a column as numbers into a dictionary: the table gets the words. */
class DictionaryStreamTest extends TableTest {
    private static final DictionaryEncoding ENCODING = new DictionaryEncoding(7, false, new ArrowType.Int(8, true));

    @Test
    void theWordsAreStoredAlsoWhenTheDictionaryChanges() {
        writer.create(table, encoded(new int[] {0, 1, -1}, List.of("red", "blue"), List.of("green", "grey")));

        assertThat(column("c", TableQuery.everything())).containsExactly("red", "blue", null, "green", "grey", null);
        assertThat(rows(table, TableVersion.LATEST, "c = 'grey'")).isEqualTo(1);
        try (DatasetLease lease = handles.open(table, TableVersion.LATEST)) {
            assertThat(lease.dataset().getSchema().findField("c").getType()).isEqualTo(UTF8);
        }
    }

    @Test
    void aDictionaryFitsAPlainColumn() {
        writer.create(table, stream(schema(field("c", UTF8)), List.of(List.of("plain"))));
        writer.insert(table, null, InsertMode.APPEND, encoded(new int[] {1, 0}, List.of("x", "y")));

        assertThat(column("c", TableQuery.everything())).containsExactly("plain", "y", "x");
    }

    @Test
    void anIndexOutsideTheDictionaryIsABadRequest() {
        failure(ErrorCode.INVALID_INPUT, () -> writer.create(table, encoded(new int[] {0, 2}, List.of("red", "blue"))));
        failure(
                ErrorCode.INVALID_INPUT,
                () -> writer.create(table, encoded(new int[] {0, -2}, List.of("red", "blue"))));
    }

    /** A batch of the indices for each dictionary; -1 is null. */
    @SafeVarargs
    static ByteArrayInputStream encoded(int[] indices, List<String>... dictionaries) {
        try (BufferAllocator allocator = new RootAllocator();
                VarCharVector words = new VarCharVector("words", allocator);
                TinyIntVector column =
                        new TinyIntVector("c", new FieldType(true, ENCODING.getIndexType(), ENCODING), allocator);
                ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            MapDictionaryProvider provider = new MapDictionaryProvider(new Dictionary(words, ENCODING));
            fill(words, dictionaries[0]);
            for (int i = 0; i < indices.length; i++) {
                if (indices[i] == -1) {
                    column.setNull(i);
                } else {
                    column.setSafe(i, indices[i]);
                }
            }
            column.setValueCount(indices.length);
            VectorSchemaRoot root = new VectorSchemaRoot(List.<FieldVector>of(column));
            root.setRowCount(indices.length);
            try (ArrowStreamWriter stream = new ArrowStreamWriter(root, provider, out)) {
                for (List<String> dictionary : dictionaries) {
                    fill(words, dictionary);
                    stream.writeBatch();
                }
                stream.end();
            }
            return new ByteArrayInputStream(out.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void fill(VarCharVector vector, List<String> words) {
        vector.reset();
        for (int i = 0; i < words.size(); i++) {
            vector.setSafe(i, words.get(i).getBytes(StandardCharsets.UTF_8));
        }
        vector.setValueCount(words.size());
    }
}
