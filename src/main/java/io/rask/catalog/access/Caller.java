package io.rask.catalog.access;

/**
 * Who asks, and what the record of it says beside.
 *
 * @param address where the request came from
 * @param door what was asked for: the method and the path, without the query, which may hold what is nobody's business
 * @param requestId the id of the request
 */
public record Caller(Principal principal, String address, String door, String requestId) {}
