package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.lang.reflect.Field;
import java.util.Optional;
import org.lance.index.vector.VectorIndexParams;

/**
 * The parameters of a graph over vectors as they are. The library makes such an index, but its builder of parameters insists on some
 * quantization beside a graph, so that is taken out again.
 */
final class PlainGraph {
    private PlainGraph() {}

    static VectorIndexParams of(VectorIndexParams quantized) {
        try {
            Field quantization = VectorIndexParams.class.getDeclaredField("sqParams");
            quantization.setAccessible(true);
            quantization.set(quantized, Optional.empty());
        } catch (ReflectiveOperationException e) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "This version of the table library makes no index of the type IVF_HNSW_FLAT.",
                    e);
        }
        if (quantized.getSqParams().isPresent()) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED,
                    "This version of the table library makes no index of the type IVF_HNSW_FLAT.");
        }
        return quantized;
    }
}
