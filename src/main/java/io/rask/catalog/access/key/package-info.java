/**
 * The keys that callers make for themselves, as records. Rule: the text of a key is shown once and kept nowhere; what is kept is a salted
 * hash.
 */
@NullMarked
package io.rask.catalog.access.key;

import org.jspecify.annotations.NullMarked;
