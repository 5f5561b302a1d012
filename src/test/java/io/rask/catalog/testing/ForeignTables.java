package io.rask.catalog.testing;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.List;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.dictionary.DictionaryProvider.MapDictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;
import org.lance.Dataset;
import org.lance.WriteParams;

/** Tables on disk as other programs of the library make them, and as no client of the catalog can. */
public final class ForeignTables {
    private ForeignTables() {}

    /** One row with the number 1 in the column {@code id}, and the word {@code a} in {@code d}, which is encoded by a dictionary. */
    public static void withDictionary(Path place) throws Exception {
        try (BufferAllocator allocator = new RootAllocator();
                BigIntVector ids = new BigIntVector("id", allocator);
                VarCharVector words = new VarCharVector("d", allocator);
                VarCharVector values = new VarCharVector("d", allocator)) {
            ids.setSafe(0, 1);
            ids.setValueCount(1);
            words.setSafe(0, new byte[] {'a'});
            words.setValueCount(1);
            values.setSafe(0, new byte[] {'a'});
            values.setValueCount(1);
            Dictionary dictionary = new Dictionary(words, new DictionaryEncoding(1, false, new ArrowType.Int(8, true)));
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (FieldVector encoded = (FieldVector) DictionaryEncoder.encode(values, dictionary);
                    VectorSchemaRoot root = new VectorSchemaRoot(List.of(ids, encoded));
                    ArrowStreamWriter writer =
                            new ArrowStreamWriter(root, new MapDictionaryProvider(dictionary), bytes)) {
                root.setRowCount(1);
                writer.start();
                writer.writeBatch();
                writer.end();
            }
            write(bytes.toByteArray(), place, true, allocator);
        }
    }

    /**
     * A table whose versions are named in the old way.
     *
     * @param rows an Arrow stream
     */
    public static void withOldNames(byte[] rows, Path place) throws Exception {
        try (BufferAllocator allocator = new RootAllocator()) {
            write(rows, place, false, allocator);
        }
    }

    private static void write(byte[] rows, Path place, boolean newNames, BufferAllocator allocator) throws Exception {
        try (ArrowReader reader = new ArrowStreamReader(new ByteArrayInputStream(rows), allocator);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            Data.exportArrayStream(allocator, reader, stream);
            WriteParams parameters = new WriteParams.Builder()
                    .withMode(WriteParams.WriteMode.CREATE)
                    .withEnableV2ManifestPaths(newNames)
                    .build();
            Dataset.create(allocator, stream, place.toString(), parameters).close();
        }
    }
}
