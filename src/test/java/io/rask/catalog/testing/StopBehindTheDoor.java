package io.rask.catalog.testing;

import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Guard;
import io.rask.catalog.door.Step;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;

/** Ends a request that says so once it has passed all questions of rights, so that a test can pass every door and change nothing. */
public final class StopBehindTheDoor implements Guard {
    public static final String HEADER = "X-Test-Stop";

    /** What the answer of a request that came through says; no door says that. */
    public static final String TEXT = "The request came through the door.";

    @Override
    public Step step() {
        return Step.CONFLICT;
    }

    @Override
    public void check(DoorCall call) {
        if (call.context().header(HEADER).isPresent()) {
            throw CatalogException.of(ErrorCode.INVALID_TABLE_STATE, TEXT);
        }
    }
}
