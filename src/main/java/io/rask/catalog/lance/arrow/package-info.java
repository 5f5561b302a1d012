/**
 * Arrow streams that come in: reading, checking and fitting them to a table. Rule: native code trusts offsets, lengths and text
 * encodings blindly and takes the process down when they lie, so nothing leaves this package that has not been checked.
 */
@NullMarked
package io.rask.catalog.lance.arrow;

import org.jspecify.annotations.NullMarked;
