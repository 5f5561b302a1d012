/**
 * Reading and writing rows: insert, query, count, update, delete.
 */
@NullMarked
package io.rask.catalog.data;

import org.jspecify.annotations.NullMarked;
