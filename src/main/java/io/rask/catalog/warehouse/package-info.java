/**
 * Warehouse doors, and the only door for a top-level namespace.
 */
@NullMarked
package io.rask.catalog.warehouse;

import org.jspecify.annotations.NullMarked;
