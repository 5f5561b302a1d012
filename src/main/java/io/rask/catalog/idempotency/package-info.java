/**
 * Requests that carry an {@code Idempotency-Key}: what became of them is a record, so that a repeat is answered as the first was. The
 * rule: with one key a request is carried out once.
 */
@NullMarked
package io.rask.catalog.idempotency;

import org.jspecify.annotations.NullMarked;
