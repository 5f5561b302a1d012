package io.rask.catalog.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rask.catalog.platform.RequestBound;
import io.rask.catalog.platform.StoreUri;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Proves that the storage of a warehouse does what tables need, with a few small objects below a prefix of its own that nothing else has.
 * What it says of a failure names no address and no credential.
 */
@Component
public final class StorageProbe {
    private static final Logger log = LoggerFactory.getLogger(StorageProbe.class);
    private static final String PREFIX = "_probe/";

    private final StoreClients clients;

    StorageProbe(StoreClients clients) {
        this.clients = clients;
    }

    /** What one look at the storage came to. */
    public enum Outcome {
        PASS,
        FAIL,
        SKIP;

        /** As answers spell it. */
        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One look.
     *
     * @param reason why it failed or was left out; null when it passed
     */
    public record Check(
            String name, Outcome outcome, @Nullable String reason) {}

    /** What a store is asked by the probe. Names are below the probe's prefix; a {@link ProbeFailure} says what went wrong. */
    interface Place {
        void put(String name, byte[] content);

        /** False when there is something of the name. */
        boolean putIfAbsent(String name, byte[] content);

        byte[] get(String name);

        /** Changes with the content. */
        String tag(String name);

        /** False when the tag is not that of the content. */
        boolean putIfMatch(String name, byte[] content, String tag);

        /** Why {@link #putIfMatch} cannot be asked; null where it can. */
        @Nullable
        String noMatching();

        List<String> names();

        void delete(String name);

        /** Takes away what is left of the prefix itself. */
        void end();
    }

    /** Something that a store did not do, in words for clients. */
    static final class ProbeFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final String reason;

        ProbeFailure(String reason, @Nullable Throwable cause) {
            super(reason, cause);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** Looks at the storage of a warehouse; ends early when the time of the request is over, and takes away what it has written. */
    public List<Check> run(StorageProfile home) {
        String prefix = PREFIX + UUID.randomUUID();
        Place place = switch (home.place()) {
            case StoreUri.Folder root -> new ProbedFolder(root.path(), prefix);
            case StoreUri.Bucket root -> new ProbedBucket(clients.of(home.serverOptions()), root, prefix);
        };
        return new Run(place).all();
    }

    private static final class Run {
        private static final String OBJECT = "object";
        private static final String ONCE = "once";
        private static final String NOT_WRITTEN = "nothing could be written to look at";

        private final Place place;
        private final List<Check> checks = new ArrayList<>();
        private final byte[] content = UUID.randomUUID().toString().getBytes(UTF_8);
        private final byte[] other = UUID.randomUUID().toString().getBytes(UTF_8);

        Run(Place place) {
            this.place = place;
        }

        private interface Step {
            /** What is wrong; null when nothing is. */
            @Nullable
            String look();
        }

        List<Check> all() {
            boolean written = check("write", () -> {
                place.put(OBJECT, content);
                return null;
            });
            after(
                    written,
                    "read",
                    () -> Arrays.equals(place.get(OBJECT), content) ? null : "what was read is not what was written");
            after(written, "list", () -> place.names().contains(OBJECT) ? null : "what was written is not listed");
            after(written, "create_if_absent", this::once);
            String noMatching = place.noMatching();
            if (noMatching == null) {
                after(written, "replace_if_match", this::stale);
            } else {
                skip("replace_if_match", noMatching);
            }
            skip("scoped_credentials", "this server hands out no credentials of a scope of their own");
            check("cleanup", this::clean);
            return List.copyOf(checks);
        }

        /** Two writers of one name: the first one has it, the second one must learn that. */
        private @Nullable String once() {
            if (!place.putIfAbsent(ONCE, content)) {
                return "a name that nothing had was refused";
            }
            if (place.putIfAbsent(ONCE, other)) {
                return "a second write of one name was taken, so writers can overwrite each other";
            }
            return Arrays.equals(place.get(ONCE), content) ? null : "a refused write was done all the same";
        }

        private @Nullable String stale() {
            String before = place.tag(OBJECT);
            place.put(OBJECT, other);
            if (place.putIfMatch(OBJECT, content, before)) {
                return "a replacement of what is no longer there was taken, so writers can overwrite each other";
            }
            return Arrays.equals(place.get(OBJECT), other) ? null : "a refused write was done all the same";
        }

        private @Nullable String clean() {
            ProbeFailure failure = null;
            for (String name : List.of(OBJECT, ONCE)) {
                try {
                    place.delete(name);
                } catch (ProbeFailure e) {
                    failure = e;
                }
            }
            if (failure != null) {
                throw failure;
            }
            place.end();
            return null;
        }

        private void after(boolean written, String name, Step step) {
            if (!written) {
                skip(name, NOT_WRITTEN);
            } else if (RequestBound.current().isOver()) {
                skip(name, "the time of the request was over");
            } else {
                check(name, step);
            }
        }

        private boolean check(String name, Step step) {
            String wrong;
            try {
                wrong = step.look();
            } catch (ProbeFailure e) {
                log.warn("The probe of a warehouse's storage failed at {}.", name, e);
                wrong = e.reason();
            }
            checks.add(new Check(name, wrong == null ? Outcome.PASS : Outcome.FAIL, wrong));
            return wrong == null;
        }

        private void skip(String name, String reason) {
            checks.add(new Check(name, Outcome.SKIP, reason));
        }
    }
}
