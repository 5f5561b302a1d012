/**
 * Table lifecycle operations: list, declare, create, describe, exists, drop.
 */
@NullMarked
package io.rask.catalog.table;

import org.jspecify.annotations.NullMarked;
