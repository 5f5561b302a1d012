/**
 * The SQL engine for views. Rule: only worker processes open it, a query is run only after every part of its parsed form was found to
 * be allowed, and it reads nothing but the streams it is given.
 */
@NullMarked
package io.rask.catalog.lance.sql;

import org.jspecify.annotations.NullMarked;
