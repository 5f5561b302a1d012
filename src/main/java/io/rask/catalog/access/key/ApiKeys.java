package io.rask.catalog.access.key;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.access.Principal;
import io.rask.catalog.access.Principal.Means;
import io.rask.catalog.platform.ApiKeyProperties;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.Resource;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.CatalogRecord;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.record.Records.Removal;
import io.rask.catalog.record.Records.Unreadable;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes keys, and says whom a key stands for. A key's record is read again when what was read of it is older than a setting allows: for so
 * long another server may still take a key that was revoked here.
 */
@Component
public final class ApiKeys {
    private static final String FOLDER = "_api_keys/";
    /** How many keys one owner may have, so that nobody fills the store with them. */
    private static final int MOST = 100;

    private static final int REMEMBERED = 10_000;

    private final Records records;
    private final Clock clock;
    private final ApiKeyProperties settings;
    private final Cache<String, Optional<KeyRecord>> known;

    ApiKeys(Records records, Clock clock, CatalogProperties properties) {
        this.records = records;
        this.clock = clock;
        this.settings = properties.apiKeys();
        this.known = Caffeine.newBuilder()
                .maximumSize(REMEMBERED)
                .expireAfterWrite(settings.cacheTtl())
                .build();
    }

    /** A key that was just made, and its text, which nobody can tell again. */
    public record Made(ApiKey key, String text) {
        /** Keeps the text out of logs. */
        @Override
        public String toString() {
            return key.toString();
        }
    }

    /**
     * Makes a key that stands for its maker.
     *
     * @param lifetime null for the longest there may be
     * @throws CatalogException code 13 for a lifetime that is too long; code 15 for a maker that came with such a key itself; code 21
     *     for one who has too many
     */
    public Made make(Principal maker, String name, @Nullable Duration lifetime) {
        requireEnabled();
        if (maker.means() == Means.API_KEY) {
            throw CatalogException.of(
                    ErrorCode.PERMISSION_DENIED,
                    "A key makes no further keys, or it would never end; make one with a token.");
        }
        Duration lives = lifetime == null ? settings.lifetime() : lifetime;
        if (lives.compareTo(settings.lifetime()) > 0) {
            throw CatalogException.invalid(
                    "A key lives for at most " + settings.lifetime().toSeconds() + " seconds here.");
        }
        makeRoom(maker.subject());
        KeyText text = KeyText.random(maker.subject());
        CatalogRecord record = records.create(
                        at(text.id()),
                        KeyRecord.content(
                                text, name, maker.subject(), clock.instant().plus(lives)))
                .record();
        return new Made(KeyRecord.of(record).key(), text.text());
    }

    private void makeRoom(String owner) {
        List<ApiKey> all = of(owner);
        Instant now = clock.instant();
        all.stream().filter(key -> key.isOver(now)).forEach(key -> revoke(owner, key.id()));
        if (all.stream().filter(key -> !key.isOver(now)).count() >= MOST) {
            throw CatalogException.of(
                    ErrorCode.THROTTLING, "There are " + MOST + " keys of yours already; revoke one of them first.");
        }
    }

    /** The keys of an owner, those that are over among them. */
    public List<ApiKey> of(String owner) {
        requireEnabled();
        return records.all(FOLDER + KeyText.ownerDigits(owner), Unreadable.SKIP).stream()
                .map(record -> KeyRecord.of(record).key())
                .filter(key -> key.owner().equals(owner))
                .toList();
    }

    /**
     * Ends a key of an owner for good.
     *
     * @throws CatalogException code 4 when the owner has no such key
     */
    public void revoke(String owner, String id) {
        requireEnabled();
        if (!KeyText.isIdOf(owner, id)) {
            throw absent(id);
        }
        Removal removal = records.tombstone(
                at(id), record -> KeyRecord.of(record).key().owner().equals(owner));
        known.invalidate(id);
        if (!(removal instanceof Removal.Removed)) {
            throw absent(id);
        }
        records.discard(at(id));
    }

    /** The key that a caller sent, where it is one, proven, and not over. */
    public Optional<ApiKey> proven(String sent) {
        return KeyText.parse(sent)
                .flatMap(text -> known(text.id()).filter(record -> record.isProvenBy(text.secret())))
                .map(KeyRecord::key)
                .filter(key -> !key.isOver(clock.instant()));
    }

    private Optional<KeyRecord> known(String id) {
        Optional<KeyRecord> kept = known.getIfPresent(id);
        if (kept != null) {
            return kept;
        }
        Optional<KeyRecord> read = records.readFresh(at(id)).map(KeyRecord::of);
        known.put(id, read);
        return read;
    }

    private static RecordKey at(String id) {
        return RecordKey.of(FOLDER + KeyText.ownerDigitsOf(id), id);
    }

    private void requireEnabled() {
        if (!settings.enabled()) {
            throw CatalogException.of(
                    ErrorCode.UNSUPPORTED, "This server takes no keys (lance.api-keys.enabled is false).");
        }
    }

    private static CatalogException absent(String id) {
        return CatalogException.of(ErrorCode.TABLE_NOT_FOUND, "There is no key '" + id + "' of yours.")
                .about(new Resource("api_key", id, List.of()));
    }
}
