package io.rask.catalog.door;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import java.util.List;
import org.springframework.stereotype.Component;

/** Refuses a branch in the query where the operation is one on the whole table; left unread, it would be done to all of it. */
@Component
final class BranchGuard implements Guard {

    @Override
    public Step step() {
        return Step.SHAPE;
    }

    @Override
    public void check(DoorCall call) {
        if (!call.door().onBranch()
                && call.context()
                        .query("branch")
                        .filter(name -> !name.isEmpty())
                        .isPresent()) {
            throw CatalogException.invalid(
                    "The operation is not one on a branch; leave the branch out.",
                    List.of(new FieldViolation("branch", "must be absent")));
        }
    }
}
