/** Drives the catalog over HTTP with published clients, on real tables, checked row by row against their source. */
@NullMarked
package io.rask.catalog.clients;

import org.jspecify.annotations.NullMarked;
