/**
 * Indices: how they are asked for, made by a worker, told of and dropped. Rule: an index is listed when queries can use it, and not
 * before.
 */
@NullMarked
package io.rask.catalog.index;

import org.jspecify.annotations.NullMarked;
