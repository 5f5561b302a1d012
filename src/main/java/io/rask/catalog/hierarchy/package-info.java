/**
 * Projects, warehouses and bindings: what exists above a namespace and where it lives. Rule: existence is the record, and the
 * status of a warehouse is read live.
 */
@NullMarked
package io.rask.catalog.hierarchy;

import org.jspecify.annotations.NullMarked;
