package io.rask.catalog.testing;

import java.util.List;
import org.lance.Dataset;
import org.lance.index.DistanceType;
import org.lance.index.IndexOptions;
import org.lance.index.IndexParams;
import org.lance.index.IndexType;
import org.lance.index.scalar.InvertedIndexParams;
import org.lance.index.scalar.ScalarIndexParams;
import org.lance.index.vector.VectorIndexParams;

/** Indices made by the library itself, beside the server. */
public final class Indices {
    private Indices() {}

    /** Indexes a column of numbers, one of texts and one of vectors. */
    public static void make(String location, String number, String text, String vector) {
        try (Dataset dataset = Dataset.open(location)) {
            IndexParams btree = IndexParams.builder()
                    .setScalarIndexParams(ScalarIndexParams.create("btree"))
                    .build();
            IndexParams words = IndexParams.builder()
                    .setScalarIndexParams(InvertedIndexParams.builder()
                            .baseTokenizer("simple")
                            .language("English")
                            .build())
                    .build();
            IndexParams near = IndexParams.builder()
                    .setVectorIndexParams(VectorIndexParams.ivfFlat(2, DistanceType.L2))
                    .build();
            make(dataset, number, IndexType.BTREE, btree);
            make(dataset, text, IndexType.INVERTED, words);
            make(dataset, vector, IndexType.IVF_FLAT, near);
        }
    }

    private static void make(Dataset dataset, String column, IndexType type, IndexParams params) {
        dataset.createIndex(IndexOptions.builder(List.of(column), type, params)
                .withIndexName(column + "_idx")
                .replace(true)
                .build());
    }
}
