/** What operators install: the chart, what is in front of the servers, and the image. */
@NullMarked
package io.rask.catalog.deployment;

import org.jspecify.annotations.NullMarked;
