/**
 * JSON records on the control root: create if absent, replace if unchanged, tombstone, list; on a filesystem and on S3. Rule:
 * a lost race and an unknown outcome are different answers, and an unknown one is resolved by reading again, never guessed.
 */
@NullMarked
package io.rask.catalog.record;

import org.jspecify.annotations.NullMarked;
