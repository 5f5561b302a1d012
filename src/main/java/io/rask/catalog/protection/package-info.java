/**
 * The doors through which objects are protected against deletion. Rule: a protection lifts nothing but itself, and is told only to
 * who may see the object.
 */
@NullMarked
package io.rask.catalog.protection;

import org.jspecify.annotations.NullMarked;
