package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;

/**
 * The query of the list of events.
 *
 * @param since the cursor of the answer before; absent to begin with the oldest event that is kept
 * @param limit the most events to answer, 1 to 1000; 100 where absent
 */
public record EventsQuery(@Nullable String since, @Nullable Integer limit) {}
