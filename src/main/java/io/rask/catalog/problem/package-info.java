/**
 * Every way a request can fail: the 24 codes, the exception that carries one, and the one place that turns a failure into a
 * problem document. Rule: nobody else builds an error body, and nothing internal leaves in one.
 */
@NullMarked
package io.rask.catalog.problem;

import org.jspecify.annotations.NullMarked;
