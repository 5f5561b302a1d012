package io.rask.catalog.access.identity;

/** A token that is not believed; the message is for its sender and repeats nothing of it. */
final class BadTokenException extends Exception {
    private static final long serialVersionUID = 1L;

    BadTokenException(String message, Throwable cause) {
        super(message, cause);
    }

    BadTokenException(String message) {
        super(message);
    }

    /** The message; never null. */
    String text() {
        return String.valueOf(getMessage());
    }
}
