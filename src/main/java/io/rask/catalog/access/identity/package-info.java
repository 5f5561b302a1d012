/**
 * The ways a caller says who it is: a provider's token, a key, the token of the platform's services. Rule: each is looked at only where it
 * is switched on, and a way that is taken and fails is never made up for by another.
 */
@NullMarked
package io.rask.catalog.access.identity;

import org.jspecify.annotations.NullMarked;
