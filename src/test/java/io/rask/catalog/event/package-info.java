@NullMarked
package io.rask.catalog.event;

import org.jspecify.annotations.NullMarked;
