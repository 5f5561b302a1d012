/** The web floors under raw requests, apart from the features that stand on them. */
@NullMarked
package io.rask.webtest;

import org.jspecify.annotations.NullMarked;
