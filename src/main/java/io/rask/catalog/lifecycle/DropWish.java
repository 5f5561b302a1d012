package io.rask.catalog.lifecycle;

/**
 * How something is to be dropped.
 *
 * @param force lifts the protection and nothing else
 * @param purge whether it goes for good although dropped things are kept for a while
 * @param by who asks, as identity named them
 */
public record DropWish(boolean force, boolean purge, String by) {}
