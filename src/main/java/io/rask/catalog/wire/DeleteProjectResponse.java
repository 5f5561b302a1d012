package io.rask.catalog.wire;

/** A project that was deleted. */
public record DeleteProjectResponse(String project, int tuplesRevoked) {}
