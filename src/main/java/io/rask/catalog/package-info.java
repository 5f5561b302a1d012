/** The application: one Spring Boot process, packages by feature, floors as {@code docs/decisions/0001} lists them. */
@NullMarked
package io.rask.catalog;

import org.jspecify.annotations.NullMarked;
