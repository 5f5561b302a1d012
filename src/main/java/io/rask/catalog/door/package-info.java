/**
 * The guarded entry. Each handler declares its relation, target and parent; the checks run here, in one fixed order. Rule: an
 * undeclared route fails the build.
 */
@NullMarked
package io.rask.catalog.door;

import org.jspecify.annotations.NullMarked;
