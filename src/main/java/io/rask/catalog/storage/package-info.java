/**
 * Where warehouses may keep their bytes: allow-lists, credential references, storage options. Rule: no request can name a file
 * or a host of the server that an operator did not allow.
 */
@NullMarked
package io.rask.catalog.storage;

import org.jspecify.annotations.NullMarked;
