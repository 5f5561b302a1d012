package io.rask.catalog.access.identity;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** A setting with which nobody could be identified rightly. */
final class UnusableSettingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UnusableSettingException(String property, String reason) {
        super(property + " " + reason + ".");
    }

    /** Shows the reason in the place of a stack trace. */
    static final class Analyzer extends AbstractFailureAnalyzer<UnusableSettingException> {
        @Override
        protected FailureAnalysis analyze(Throwable root, UnusableSettingException cause) {
            return new FailureAnalysis(
                    cause.getMessage(),
                    "Set what is missing; lance.oidc.enabled, lance.api-keys.enabled, lance.bootstrap.keys and"
                            + " lance.service.token are the ways to identify callers.",
                    cause);
        }
    }
}
