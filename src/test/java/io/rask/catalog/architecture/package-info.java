/** Holds the rules of the house: which package may use which, what a class is called, what a setting is called. */
@NullMarked
package io.rask.catalog.architecture;

import org.jspecify.annotations.NullMarked;
