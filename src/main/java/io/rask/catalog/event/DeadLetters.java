package io.rask.catalog.event;

import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.OldRecords;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.RecordPage;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Unreadable;
import io.rask.catalog.wire.DeadLettersResponse.DeadLetter;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Events that webhooks did not take, each a record for people to find. */
@Component
public final class DeadLetters {
    private static final String FOLDER = "_events/dead";

    private final Records records;
    private final OldRecords old;

    DeadLetters(Records records) {
        this.records = records;
        this.old = new OldRecords(records, FOLDER, false);
    }

    /** A page of them, in the order of the log. */
    public record Page(List<DeadLetter> letters, @Nullable String next) {}

    /** Files one; a second time changes nothing. */
    public void file(String webhook, EventLog.Entry entry, int attempts, String reason) {
        EventCursor at = EventCursor.parse(entry.at());
        ObjectNode letter = JsonNodeFactory.instance.objectNode();
        letter.put("webhook", webhook).put("attempts", attempts).put("reason", reason);
        letter.set("event", entry.event());
        records.create(
                key("%012d-%04d-%s".formatted(at.segment(), at.index(), RecordKey.hashed("hook", webhook))), letter);
    }

    /** @param after the last name of the page before */
    public Page page(@Nullable String after, int limit) {
        RecordPage page =
                records.list(FOLDER, after == null ? null : tokenKey(after).value(), limit, Unreadable.SKIP);
        return new Page(
                page.records().stream().map(DeadLetters::letter).toList(),
                page.next() == null ? null : new RecordKey(page.next()).name());
    }

    private static RecordKey tokenKey(String token) {
        try {
            return key(token);
        } catch (IllegalArgumentException e) {
            throw io.rask.catalog.problem.CatalogException.invalid(
                    "The page token is none that this catalog has told.");
        }
    }

    private static DeadLetter letter(CatalogRecord record) {
        ObjectNode content = record.content();
        return new DeadLetter(
                content.path("webhook").asString(),
                content.path("attempts").asInt(),
                content.path("reason").asString(),
                record.createdAt().toString(),
                content.path("event"));
    }

    /**
     * Forgets some of those that are older than a moment.
     *
     * @return whether there may be more
     */
    public boolean forget(Instant before) {
        return old.forget(before);
    }

    private static RecordKey key(String name) {
        return RecordKey.of(FOLDER, name);
    }
}
