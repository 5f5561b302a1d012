package io.rask.catalog.testing;

import java.time.Duration;

/** What an {@link S3Server} can do to a request instead of answering it as it should. */
public sealed interface Fault {
    /** Does nothing to the request; for rules that only count. */
    record None() implements Fault {}

    /** Answers with this status and error code at once; nothing is read or written. */
    record Status(int status, String code) implements Fault {
        public static Status slowDown() {
            return new Status(503, "SlowDown");
        }

        public static Status conflict() {
            return new Status(409, "ConditionalRequestConflict");
        }
    }

    /** Lets the request wait before it is carried out. A caller that gave up meanwhile does not stop it. */
    record Delay(Duration duration) implements Fault {}

    /** Closes the connection instead of carrying the request out. */
    record DropRequest() implements Fault {}

    /** Carries the request out and closes the connection instead of replying. */
    record DropReply() implements Fault {}

    /** Carries the request out and answers a failure all the same, as a gateway does that gave up waiting for the store. */
    record FailReply(int status, String code) implements Fault {
        public static FailReply gatewayTimeout() {
            return new FailReply(504, "GatewayTimeout");
        }
    }
}
