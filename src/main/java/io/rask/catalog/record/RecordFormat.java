package io.rask.catalog.record;

import io.rask.catalog.record.RecordStore.StoredBytes;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How records look as bytes: UTF-8 JSON objects with the fields every record has. */
final class RecordFormat {
    /** Raised only for a change that older replicas must not read; new fields need no new number. */
    static final int NUMBER = 1;

    static final String FORMAT = "format";
    static final String WRITE_ID = "write_id";
    static final String CREATED_AT = "created_at";
    static final String UPDATED_AT = "updated_at";
    static final String TOMBSTONE = "tombstone";
    /** The ids of the writes before this one, oldest first: a writer whose reply was lost finds its write here. */
    static final String RECENT_WRITES = "recent_writes";

    static final int MAX_RECENT_WRITES = 32;

    private static final int WRITE_ID_BYTES = 10;

    private final SecureRandom random = new SecureRandom();
    // Numbers of fields we do not know must survive as they are, and a double would round them.
    private final JsonMapper mapper = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();
    private final Clock clock;

    RecordFormat(Clock clock) {
        this.clock = clock;
    }

    Version parse(RecordKey key, StoredBytes stored) throws CorruptRecordException {
        ObjectNode node = object(key, stored.bytes());
        int format = node.path(FORMAT).asInt(0);
        if (format > NUMBER) {
            throw new CorruptRecordException(key, "has format " + format + ", newer than this server knows");
        }
        if (format < 1 || !node.path(WRITE_ID).isString()) {
            throw new CorruptRecordException(key, "lacks " + FORMAT + " or " + WRITE_ID);
        }
        return new Version(key, node, stored.etag(), stored.bytes().length);
    }

    byte[] bytes(ObjectNode node) {
        return mapper.writeValueAsBytes(node);
    }

    /** The next version's content: what the caller wants, with the fields every record has in front. */
    ObjectNode stamp(ObjectNode content, @Nullable Version base) {
        String now = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
        ObjectNode stamped = mapper.createObjectNode();
        stamped.put(FORMAT, NUMBER);
        stamped.put(WRITE_ID, newWriteId());
        stamped.put(
                CREATED_AT,
                base == null || base.isTombstone()
                        ? now
                        : base.node().path(CREATED_AT).asString(now));
        stamped.put(UPDATED_AT, now);
        content.forEachEntry((name, value) -> {
            if (!stamped.has(name) && !name.equals(TOMBSTONE) && !name.equals(RECENT_WRITES)) {
                stamped.set(name, value.deepCopy());
            }
        });
        stamped.set(RECENT_WRITES, recentWrites(base));
        return stamped;
    }

    /** What takes the place of a record that is gone. */
    ObjectNode tombstone(Version base) {
        ObjectNode stamped = stamp(mapper.createObjectNode(), base);
        stamped.put(TOMBSTONE, true);
        return stamped;
    }

    private ArrayNode recentWrites(@Nullable Version base) {
        ArrayNode recent = mapper.createArrayNode();
        if (base != null) {
            JsonNode before = base.node().path(RECENT_WRITES);
            for (int i = Math.max(0, before.size() + 1 - MAX_RECENT_WRITES); i < before.size(); i++) {
                recent.add(before.get(i));
            }
            recent.add(base.writeId());
        }
        return recent;
    }

    private ObjectNode object(RecordKey key, byte[] bytes) throws CorruptRecordException {
        try {
            if (mapper.readTree(bytes) instanceof ObjectNode object) {
                return object;
            }
        } catch (JacksonException e) {
            throw new CorruptRecordException(key, "is not JSON", e);
        }
        throw new CorruptRecordException(key, "is not a JSON object");
    }

    private String newWriteId() {
        byte[] id = new byte[WRITE_ID_BYTES];
        random.nextBytes(id);
        return HexFormat.of().formatHex(id);
    }
}
