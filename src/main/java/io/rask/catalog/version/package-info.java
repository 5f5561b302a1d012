/**
 * The versions of tables: list, describe, register, delete, restore. Rule: a number is never taken twice.
 */
@NullMarked
package io.rask.catalog.version;

import org.jspecify.annotations.NullMarked;
