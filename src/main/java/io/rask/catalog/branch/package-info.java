/**
 * Branches of tables: where they begin and end. Rule: a branch that something holds on to stays.
 */
@NullMarked
package io.rask.catalog.branch;

import org.jspecify.annotations.NullMarked;
