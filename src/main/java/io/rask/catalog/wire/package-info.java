/**
 * The request and response records of the Lance Namespace specification, in both dialects. Rule: plain values, no behaviour
 * beyond reading tolerant input; absent, null and empty mean the same wherever real clients mix them up.
 */
@NullMarked
package io.rask.catalog.wire;

import org.jspecify.annotations.NullMarked;
