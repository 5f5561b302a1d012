/**
 * Project doors.
 */
@NullMarked
package io.rask.catalog.project;

import org.jspecify.annotations.NullMarked;
