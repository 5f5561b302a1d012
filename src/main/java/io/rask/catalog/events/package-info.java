/** The doors to what happened in the catalog. */
@NullMarked
package io.rask.catalog.events;

import org.jspecify.annotations.NullMarked;
