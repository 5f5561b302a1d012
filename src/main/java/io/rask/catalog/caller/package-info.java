/**
 * The doors of what is the caller's own: who it is, and its keys. Rule: they show and change nothing of anybody else, so being identified is
 * all they ask for.
 */
@NullMarked
package io.rask.catalog.caller;

import org.jspecify.annotations.NullMarked;
