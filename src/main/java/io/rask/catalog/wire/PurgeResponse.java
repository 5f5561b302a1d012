package io.rask.catalog.wire;

import java.util.List;

/**
 * What went from the trash for good.
 *
 * @param id the stored id of the object that was asked for
 * @param purged the stored ids of all that went
 */
public record PurgeResponse(String id, List<String> purged) {}
