/** Tokens, without a server around them. */
@NullMarked
package io.rask.catalog.access.identity;

import org.jspecify.annotations.NullMarked;
