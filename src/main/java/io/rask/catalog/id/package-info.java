/**
 * Object ids: how a path, a body or a query names an object, how ids are split, joined and checked. Rule: ids come from the
 * raw request URI, and every minting door applies the same name rules.
 */
@NullMarked
package io.rask.catalog.id;

import org.jspecify.annotations.NullMarked;
