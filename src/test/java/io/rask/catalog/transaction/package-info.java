@NullMarked
package io.rask.catalog.transaction;

import org.jspecify.annotations.NullMarked;
