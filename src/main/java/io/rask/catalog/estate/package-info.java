/**
 * Whether what the permission engine says is what is there: compares its facts with the registries and the manifests of all warehouses,
 * and mends what differs. Rule: what could not be read is unknown, never clean, and takes nobody's rights.
 */
@NullMarked
package io.rask.catalog.estate;

import org.jspecify.annotations.NullMarked;
