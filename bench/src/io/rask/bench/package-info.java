/**
 * Measures this server beside the reference server of the Lance library, and beside the library itself in this process. Every
 * comparison runs both sides in turns in one run, on copies of one root, with the same client, and reports their ratio.
 *
 * <p>{@link Soak} measures nothing of the kind: it keeps two servers busy while they are killed, and compares what they tell with a model.
 */
@NullMarked
package io.rask.bench;

import org.jspecify.annotations.NullMarked;
