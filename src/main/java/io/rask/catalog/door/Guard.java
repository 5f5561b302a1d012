package io.rask.catalog.door;

/** One check of every door. Guards run in the order of their steps, those of one step in the order of their beans. */
public interface Guard {
    Step step();

    /**
     * Lets the request pass or throws.
     *
     * @throws io.rask.catalog.problem.CatalogException the reason the request is refused
     */
    void check(DoorCall call);
}
