package io.rask.catalog.wire;

import java.util.List;

/** What was given on an object itself; what is inherited is not among it. */
public record GrantsResponse(List<GrantResponse> grants) {}
