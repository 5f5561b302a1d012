package io.rask.catalog.lifecycle;

import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.lance.ManifestEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Tells of each object that went, or came back, not only of the one that was named. */
final class Departed {
    private Departed() {}

    /** @param bytesToo whether the bytes of the tables go as well; those that were in the trash are purged */
    static void announce(List<ManifestEntry> gone, boolean bytesToo) {
        for (ManifestEntry entry : gone) {
            boolean table = entry.restored().isTable();
            EventType type;
            if (entry.isTrashed()) {
                type = table ? EventType.TABLE_PURGED : EventType.NAMESPACE_PURGED;
            } else if (table) {
                type = bytesToo ? EventType.TABLE_DROPPED : EventType.TABLE_DEREGISTERED;
            } else {
                type = EventType.NAMESPACE_DROPPED;
            }
            Announcements.add(type.ofView(entry.isView()), entry.id());
        }
    }

    /** @param until when the bytes may go */
    static void announceTrashed(List<ManifestEntry> gone, Instant until) {
        for (ManifestEntry entry : gone) {
            Announcements.add(
                    entry.isNamespace() ? EventType.NAMESPACE_DROPPED : EventType.TABLE_DROPPED.ofView(entry.isView()),
                    entry.id(),
                    Map.of("recoverable", "true", "expires_at", until.toString()));
        }
    }

    static void announceBack(List<ManifestEntry> restored) {
        for (ManifestEntry entry : restored) {
            Announcements.add(
                    entry.isNamespace()
                            ? EventType.NAMESPACE_UNDROPPED
                            : EventType.TABLE_UNDROPPED.ofView(entry.isView()),
                    entry.id());
        }
    }
}
