package io.rask.catalog.wire;

import java.util.List;

/**
 * What came back from the trash.
 *
 * @param id the stored id of the object that was asked for, as it is now
 * @param restored the stored ids of all that came back, each after the namespace it lies in; empty when it was back already
 * @param warnings what may surprise, such as tables without rows
 */
public record UndropResponse(String id, List<String> restored, List<String> warnings) {}
