/** Tests of the records: one contract, run by every store. */
@NullMarked
package io.rask.catalog.record;

import org.jspecify.annotations.NullMarked;
