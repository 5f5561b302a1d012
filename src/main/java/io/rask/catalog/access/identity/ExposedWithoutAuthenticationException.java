package io.rask.catalog.access.identity;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** The server would listen to other machines without asking who they are. */
final class ExposedWithoutAuthenticationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExposedWithoutAuthenticationException(@Nullable InetAddress address) {
        super("server.address is " + (address == null ? "every address" : address.getHostAddress())
                + ", which other machines can reach, and the server has no authentication.");
    }

    /** Shows the reason in the place of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<ExposedWithoutAuthenticationException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, ExposedWithoutAuthenticationException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Set server.address=127.0.0.1, or set up who asks (docs/authentication.md),"
                            + " or set lance.allow-unauthenticated=true (LANCE_ALLOW_UNAUTHENTICATED)"
                            + " if something in front of the server decides who may reach it.",
                    cause);
        }
    }
}
