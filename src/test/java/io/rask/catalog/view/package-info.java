@NullMarked
package io.rask.catalog.view;

import org.jspecify.annotations.NullMarked;
