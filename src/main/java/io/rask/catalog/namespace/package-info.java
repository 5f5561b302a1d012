/**
 * The five namespace operations.
 */
@NullMarked
package io.rask.catalog.namespace;

import org.jspecify.annotations.NullMarked;
