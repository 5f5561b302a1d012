package io.rask.catalog.access;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/** Tells the permission engine of what was made, and lets it be undone where that fails. */
@Component
public final class Seeding {
    private final Ownership ownership;
    private final Authorization authorization;

    Seeding(Ownership ownership, Authorization authorization) {
        this.ownership = ownership;
        this.authorization = authorization;
    }

    /**
     * Gives what was just made its owner. Where that fails, what the engine may have heard of it is taken back and the object is
     * unmade, each whether the other works or not, and the first failure is told.
     *
     * @param undo unmakes exactly what this request made
     */
    public void made(Principal maker, AccessObject object, AccessObject parent, Runnable undo) {
        try {
            ownership.made(maker, object, parent);
        } catch (RuntimeException e) {
            also(e, () -> ownership.ended(List.of(object)));
            also(e, undo);
            throw e;
        }
    }

    /**
     * Makes the one who has replaced an object its owner: nothing that was given on the one before stays, and what it lies in does. The
     * object is not unmade where that fails; a repeat does it.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it
     */
    public void replaced(Principal maker, AccessObject object, AccessObject parent) {
        ownership.made(maker, object, parent);
    }

    /**
     * Takes back what is still said of an older object of a name, before a record gives the name again. After that nothing is taken
     * back, so that what others give on the new object stays, however often its maker asks for it again.
     *
     * @param isFree whether nothing has the name
     */
    public void clear(AccessObject object, BooleanSupplier isFree) {
        if (authorization.isOn()) {
            ownership.cleared(object, isFree);
        }
    }

    /**
     * Gives what has a record its owner, once: the record says who made it, and from then on that it has its owner. A repeat by the maker
     * ends what a crash or an outage left undone.
     *
     * @param awaits whether the record says that this caller made it and that it has no owner yet
     * @param done notes in the record that it has
     */
    public void once(Principal maker, AccessObject object, AccessObject parent, BooleanSupplier awaits, Runnable done) {
        if (authorization.isOn() && awaits.getAsBoolean()) {
            ownership.owned(maker, object, parent);
            done.run();
        }
    }

    private static void also(RuntimeException first, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            first.addSuppressed(e);
        }
    }
}
