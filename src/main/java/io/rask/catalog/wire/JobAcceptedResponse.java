package io.rask.catalog.wire;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The answer to what is done by a worker.
 *
 * @param result present when it is done already
 */
public record JobAcceptedResponse(String jobId, @Nullable ObjectNode result) {}
