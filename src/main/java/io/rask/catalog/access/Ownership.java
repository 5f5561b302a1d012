package io.rask.catalog.access;

import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Keeps what the permission model says of objects in step with what the catalog does to them. A call that fails has done nothing
 * that is relied upon; a repeat of a call that succeeded changes nothing.
 */
public interface Ownership {
    /** Whether anything is kept of objects. Where nothing is, the names of what is gone are free at once. */
    default boolean isKept() {
        return true;
    }

    /**
     * Makes the one who made an object its owner, and ties the object to what it lies in. Whoever made it undoes that when this fails.
     *
     * @param parent what the object lies in; the estate for a project
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it
     */
    void made(Principal maker, AccessObject object, AccessObject parent);

    /**
     * Ties objects to what they lie in. Nobody comes to own them himself, and what is said of them stays.
     *
     * @param parents what each object lies in
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it
     */
    void tied(Map<AccessObject, AccessObject> parents);

    /**
     * Whether an object is tied to what it lies in, so that it was told of.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not say
     */
    boolean isTied(AccessObject object, AccessObject parent);

    /**
     * Takes back what is still said of an object that is long gone, before its name is given again. Nothing that was given on a new
     * one is among it: its record is there before anything can be.
     *
     * @param isFree whether nothing has the name; asked before and after what is said was read
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it
     */
    void cleared(AccessObject object, BooleanSupplier isFree);

    /**
     * As {@link #made}, for an object of which others may have said something meanwhile: that stays, and where it has an owner
     * already, nobody becomes another one.
     */
    void owned(Principal maker, AccessObject object, AccessObject parent);

    /**
     * Takes back everything that is said of objects that are gone for good: the rights on them, and what they lie in.
     *
     * @return how much was taken back
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it; a repeat goes on
     */
    int ended(Collection<AccessObject> gone);

    /**
     * Writes all rights on an object down on the name it is getting as well, ties that to what it lies in from now on, and takes back
     * what is still said of an older object of the name. Nobody else may get the name meanwhile. {@link #ended} of the old name
     * follows when the object has the new one, and of the new name when it has kept the old.
     *
     * @return what is to be run when the object has the new name and before the old one is ended: it takes along what was given and
     *     taken back meanwhile; code 17 as here
     * @throws io.rask.catalog.problem.CatalogException code 17 when the engine does not take it
     */
    Runnable moving(AccessObject from, AccessObject to, AccessObject newParent);
}
