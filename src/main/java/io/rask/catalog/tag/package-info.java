/**
 * Tags: names that hold versions of tables. Rule: a tag is never put on what is not there, and none is replaced unasked.
 */
@NullMarked
package io.rask.catalog.tag;

import org.jspecify.annotations.NullMarked;
