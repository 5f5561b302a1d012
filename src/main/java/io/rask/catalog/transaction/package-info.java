/**
 * Changes of several tables that happen together or not at all, and transactions as clients see them. Rule: what is to be done is
 * recorded before the first of it is done, and from the record every step can be repeated, whoever does it.
 */
@NullMarked
package io.rask.catalog.transaction;

import org.jspecify.annotations.NullMarked;
