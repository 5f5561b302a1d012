package io.rask.catalog.testing;

import java.net.URI;
import java.nio.file.Path;
import org.lance.Dataset;
import org.lance.Ref;

/** Datasets on disk as another program of the library makes and changes them. */
public final class Clones {
    private Clones() {}

    /** Makes a shallow clone of a dataset at a place that holds none. */
    public static void make(Path source, Path clone) {
        try (Dataset from = Dataset.open(source.toString());
                Dataset made = from.shallowClone(clone.toString(), Ref.ofMain())) {
            if (made.countRows() != from.countRows()) {
                throw new AssertionError("the clone of " + source + " is not its equal");
            }
        }
    }

    /** The folder that the location of a description names. */
    public static Path folder(String location) {
        return Path.of(URI.create(location));
    }
}
