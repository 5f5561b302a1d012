/**
 * Reading and writing rows: insert, merge, query and its plan, count, update, delete, statistics.
 */
@NullMarked
package io.rask.catalog.data;

import org.jspecify.annotations.NullMarked;
