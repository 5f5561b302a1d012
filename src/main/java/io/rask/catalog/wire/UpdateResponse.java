package io.rask.catalog.wire;

/**
 * What an update did.
 *
 * @param rowsUpdated the same as {@code updatedRows}, under the name that LanceDB's clients read
 */
public record UpdateResponse(long updatedRows, long rowsUpdated, long version) {}
