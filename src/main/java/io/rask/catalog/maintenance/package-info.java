/**
 * What keeps tables and roots in order: compaction and the search for orphans, done by workers, and the doors that ask for them.
 * Rule: unknown is never clean, and nothing here deletes.
 */
@NullMarked
package io.rask.catalog.maintenance;

import org.jspecify.annotations.NullMarked;
