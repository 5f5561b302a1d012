/**
 * The native layer, and the only package that imports {@code org.lance} and Arrow: bounded calls, the catalog manifest, dataset
 * handles, data streams. Rule: every number, string and body is bounded before it enters native code, and no native text leaves.
 */
@NullMarked
package io.rask.catalog.lance;

import org.jspecify.annotations.NullMarked;
