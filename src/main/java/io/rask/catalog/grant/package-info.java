/**
 * The doors of rights: what was given to whom, giving and taking it, and what a caller may do. Rule: nobody gains by giving, and the last
 * administrator of a project stays.
 */
@NullMarked
package io.rask.catalog.grant;

import org.jspecify.annotations.NullMarked;
