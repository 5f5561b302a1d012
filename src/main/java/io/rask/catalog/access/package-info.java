/**
 * Who asks, what the permission model knows of it, and who may do what. Rule: only headers say who asks, and what the model does not
 * clearly allow is denied.
 */
@NullMarked
package io.rask.catalog.access;

import org.jspecify.annotations.NullMarked;
