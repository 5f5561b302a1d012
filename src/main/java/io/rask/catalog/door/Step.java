package io.rask.catalog.door;

/** The order in which a request is checked. Who asks is settled before all of them. */
public enum Step {
    /** What the request says makes sense by itself; 400. */
    SHAPE,
    /** What the target lives in is there; 404, or 403 where it is switched off. */
    PARENT,
    /** The caller may do this; 403. */
    AUTHORIZATION,
    /** Nothing that exists stands against it; 409. */
    CONFLICT
}
