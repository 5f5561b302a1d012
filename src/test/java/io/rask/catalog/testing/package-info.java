/** What the tests of all packages share: servers, and races of threads. */
@NullMarked
package io.rask.catalog.testing;

import org.jspecify.annotations.NullMarked;
