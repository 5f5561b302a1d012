package io.rask.catalog.record;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of records, sorted by key. It may hold fewer records than asked for, even none, and still have a successor: tombstones
 * and nested folders are looked at and left out.
 *
 * @param next what to pass as {@code after} for the next page; null on the last page
 */
public record RecordPage(
        List<CatalogRecord> records, @Nullable String next) {}
