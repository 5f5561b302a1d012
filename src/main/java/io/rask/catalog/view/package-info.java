/**
 * Materialized views: tables that hold the answer to a query over other tables. Rule: the query runs in a worker alone, and a view's
 * rows change by its refresh alone.
 */
@NullMarked
package io.rask.catalog.view;

import org.jspecify.annotations.NullMarked;
