package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How far two vectors are apart. */
public enum DistanceMetric {
    /** The square of the Euclidean distance. */
    L2,
    /** One minus the cosine of the angle. */
    COSINE,
    /** One minus the inner product. */
    DOT,
    /** The number of differing bits; of unsigned bytes only. */
    HAMMING;

    /** @throws CatalogException code 13 for an unknown name; letter case does not matter */
    public static DistanceMetric of(String name) {
        for (DistanceMetric metric : values()) {
            if (metric.name().equalsIgnoreCase(name)) {
                return metric;
            }
        }
        String known = Arrays.stream(values())
                .map(metric -> metric.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw CatalogException.invalid("The distance type is unknown; known are " + known + ".");
    }
}
