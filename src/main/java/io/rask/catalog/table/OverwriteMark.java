package io.rask.catalog.table;

import java.util.Map;

/**
 * What an overwrite of a table's rows has noted in the table's row before it is committed.
 *
 * @param transaction the id of the transaction that replaces the rows
 * @param at when it was noted, in milliseconds since 1970
 * @param properties what the table has from then on
 */
public record OverwriteMark(String transaction, long at, Map<String, String> properties) {
    public OverwriteMark {
        properties = Map.copyOf(properties);
    }
}
