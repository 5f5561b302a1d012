/**
 * Drop and the question every destructive path asks: may I delete this? Rule: unknown is no.
 */
@NullMarked
package io.rask.catalog.lifecycle;

import org.jspecify.annotations.NullMarked;
