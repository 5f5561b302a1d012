/**
 * The published description of the API: what the routes take is read from their own records, what they mean from the register in
 * {@code lance_docs}. Rule: nothing is described that is not served, and the group of the specification has nothing else.
 */
@NullMarked
package io.rask.catalog.openapi;

import org.jspecify.annotations.NullMarked;
