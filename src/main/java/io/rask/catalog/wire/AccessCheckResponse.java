package io.rask.catalog.wire;

/** Whether a caller may do something; the groups of its tokens are not known here and do not count. */
public record AccessCheckResponse(String principal, String action, boolean allowed) {}
