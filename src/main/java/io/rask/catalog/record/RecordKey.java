package io.rask.catalog.record;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The name of a record below the control root, such as {@code _projects/acme.json}. Segments are joined by {@code /}; the last
 * one ends in {@code .json} and no other does, so a key is never also a folder. Only lower-case ASCII letters, digits and
 * {@code _ - .} are allowed, because that is what every store and every file system keeps apart and sorts alike; a name that
 * may hold anything else goes through {@link #hashed}.
 *
 * @param value the key, without a leading slash
 */
public record RecordKey(String value) implements Comparable<RecordKey> {
    private static final String PROBE_FOLDER = "_probe";
    private static final List<String> SINGLE_USE_FOLDERS = List.of(
            PROBE_FOLDER, "_jobs", "_batches", "_transactions", "_rebuilds", "_idempotency", "_events", "_api_keys");
    private static final String SUFFIX = ".json";
    private static final int MAX_SEGMENT_BYTES = 200;
    private static final int HASH_BYTES = 12;
    private static final Pattern SEGMENT = Pattern.compile("[a-z0-9_-][a-z0-9_.-]*");

    /** @throws IllegalArgumentException if the key breaks a rule; a caller checks the names of a request before it makes a key */
    public RecordKey {
        if (!isKey(value)) {
            throw new IllegalArgumentException(
                    "'" + value + "' is no record key: each segment has 1 to 200 of the characters"
                            + " a-z 0-9 _ - . and no dot first, and the last segment, no other, ends in .json");
        }
    }

    /** The key of the record {@code name} in a folder such as {@code _projects}. */
    public static RecordKey of(String folder, String name) {
        return new RecordKey(folder + "/" + name + SUFFIX);
    }

    /**
     * A name for an id that may hold any character: {@code <kind>-<hash>} with the first 24 hex digits of the SHA-256 over kind
     * and id. To be used as the name in {@link #of}.
     */
    public static String hashed(String kind, String id) {
        MessageDigest digest = sha256();
        // The zero byte keeps ("ab", "c") and ("a", "bc") apart.
        digest.update((kind + '\0' + id).getBytes(StandardCharsets.UTF_8));
        return kind + "-" + HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
    }

    /** A key nobody has used before, for what a {@link ConditionalWriteProbe} writes. */
    static RecordKey probe() {
        return of(PROBE_FOLDER, UUID.randomUUID().toString());
    }

    /**
     * Whether the last segment is an id that is made anew each time, so that no record comes back under a key once it is gone, and
     * a delete that arrives late meets nothing. A rebuild may come back; whoever misses its
     * record begins it again, which finds what is there.
     */
    boolean isSingleUse() {
        return SINGLE_USE_FOLDERS.stream().anyMatch(folder -> value.startsWith(folder + "/"));
    }

    /** Whether a key found in a store follows the rules; what does not was put there by somebody else. */
    static boolean isKey(String value) {
        String[] segments = value.split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            if (!isSegment(segments[i]) || (i == segments.length - 1) != segments[i].endsWith(SUFFIX)) {
                return false;
            }
        }
        return true;
    }

    /** The last segment without its {@code .json}. */
    public String name() {
        return value.substring(value.lastIndexOf('/') + 1, value.length() - SUFFIX.length());
    }

    /** Keys sort by their bytes. */
    @Override
    public int compareTo(RecordKey other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static boolean isSegment(String segment) {
        return segment.length() <= MAX_SEGMENT_BYTES && SEGMENT.matcher(segment).matches();
    }
}
