package io.rask.catalog.access;

/** Whether a caller may do something to an object. */
public record Question(Principal principal, Relation relation, AccessObject object) {}
