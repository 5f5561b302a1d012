package io.rask.catalog.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.platform.FgaProperties;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Allowances that were given a moment ago. Denials are never remembered, so a grant works at once. A right that this server takes back
 * ends here at once; one that another replica takes back, after the time to live at the latest.
 */
final class VerdictCache {
    private final Cache<Question, Boolean> allowed;
    private final AtomicLong revocations = new AtomicLong();
    private final boolean isOn;

    VerdictCache(FgaProperties settings) {
        this.isOn = !settings.cacheTtl().isZero();
        this.allowed = Caffeine.newBuilder()
                .maximumSize(settings.cacheSize())
                .expireAfterWrite(settings.cacheTtl())
                .build();
    }

    boolean allows(Question question) {
        return isOn && allowed.getIfPresent(question) != null;
    }

    /** To be taken before the engine is asked, and given back with its verdict. */
    long moment() {
        return revocations.get();
    }

    /** Remembers an allowance, unless a right was taken back since the moment: the verdict may be from before that. */
    void remember(Question question, long moment) {
        if (!isOn || revocations.get() != moment) {
            return;
        }
        allowed.put(question, Boolean.TRUE);
        if (revocations.get() != moment) {
            allowed.invalidate(question);
        }
    }

    /** Forgets all, for a right may have been the source of many others. */
    void forget() {
        revocations.incrementAndGet();
        allowed.invalidateAll();
    }
}
