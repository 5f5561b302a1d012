/**
 * The columns of tables: adding, changing and dropping them, and the metadata of fields and of the whole schema.
 */
@NullMarked
package io.rask.catalog.column;

import org.jspecify.annotations.NullMarked;
