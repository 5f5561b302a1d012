/**
 * Measures this server beside the reference server of the Lance library, and beside the library itself in this process. Every
 * comparison runs both sides in turns in one run, on copies of one root, with the same client, and reports their ratio.
 */
@NullMarked
package io.rask.bench;

import org.jspecify.annotations.NullMarked;
