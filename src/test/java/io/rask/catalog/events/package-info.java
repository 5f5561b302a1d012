@NullMarked
package io.rask.catalog.events;

import org.jspecify.annotations.NullMarked;
