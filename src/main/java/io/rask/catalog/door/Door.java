package io.rask.catalog.door;

import io.rask.catalog.access.Relation;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What a handler needs before it may run. Every handler below {@code /v1} declares it; the application does not start otherwise. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Door {
    /** What the caller must be allowed to do. */
    Relation relation();

    /** What the path, or for a creation the body, names. */
    io.rask.catalog.door.Target target();

    /** What the permission engine is asked about; a door that leads to nothing in particular says so. */
    Asked asks() default Asked.TARGET;

    /** What must exist around the target before anyone is asked about rights. */
    io.rask.catalog.door.Target parent() default io.rask.catalog.door.Target.NONE;

    /** Whether the right is one on the parent, as it is for everything that is made in it. */
    boolean askedOnParent() default false;

    /** What the caller must be allowed to do where the body moves the target to; asked on the parent there. Empty for no move. */
    Relation[] onDestination() default {};

    /** Whether the target is made here: the rules for new names hold, and its absence is no failure. */
    boolean mints() default false;

    /** Whether a denial must look exactly like absence. */
    boolean destructive() default false;

    /** Whether a target protected against deletion refuses, unless forced. */
    boolean refusesProtected() default false;

    /** Whether the request may name a branch of its target, in the body or in the query; where it may not, naming one is refused. */
    boolean onBranch() default false;

    /** Whether it may be done to the table of a materialized view too, although it changes one, whose rows and columns are its refresh's. */
    boolean onView() default false;

    /** Whether the answer is a list that shows only what the caller may see. */
    boolean filtered() default false;

    /** Whether it is there on a server without warehouses too, although it leads to something above namespaces. */
    boolean withoutWarehouses() default false;
}
