/**
 * The doors to what was dropped and is kept for a while: what is there, bringing it back, and destroying it before its time. Rule: the
 * rows of the manifests say what is in the trash, the records say the rest.
 */
@NullMarked
package io.rask.catalog.trash;

import org.jspecify.annotations.NullMarked;
