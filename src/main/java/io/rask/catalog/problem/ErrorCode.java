package io.rask.catalog.problem;

import java.util.Locale;

/**
 * The 24 error codes of the Lance Namespace specification 0.11.1. Clients dispatch on {@link #number()}, never on text; the HTTP
 * status follows from the code.
 */
public enum ErrorCode {
    UNSUPPORTED(0, 501),
    NAMESPACE_NOT_FOUND(1, 404),
    NAMESPACE_ALREADY_EXISTS(2, 409),
    NAMESPACE_NOT_EMPTY(3, 409),
    TABLE_NOT_FOUND(4, 404),
    TABLE_ALREADY_EXISTS(5, 409),
    TABLE_INDEX_NOT_FOUND(6, 404),
    TABLE_INDEX_ALREADY_EXISTS(7, 409),
    TABLE_TAG_NOT_FOUND(8, 404),
    TABLE_TAG_ALREADY_EXISTS(9, 409),
    TRANSACTION_NOT_FOUND(10, 404),
    TABLE_VERSION_NOT_FOUND(11, 404),
    TABLE_COLUMN_NOT_FOUND(12, 404),
    INVALID_INPUT(13, 400),
    CONCURRENT_MODIFICATION(14, 409),
    PERMISSION_DENIED(15, 403),
    UNAUTHENTICATED(16, 401),
    SERVICE_UNAVAILABLE(17, 503),
    INTERNAL(18, 500),
    INVALID_TABLE_STATE(19, 409),
    TABLE_SCHEMA_VALIDATION_ERROR(20, 400),
    THROTTLING(21, 429),
    TABLE_BRANCH_NOT_FOUND(22, 404),
    TABLE_BRANCH_ALREADY_EXISTS(23, 409);

    private final int number;
    private final int status;

    ErrorCode(int number, int status) {
        this.number = number;
        this.status = status;
    }

    /** The code of a number, as a record may hold it; {@link #INTERNAL} for a number of no code. */
    public static ErrorCode ofNumber(int number) {
        return number < 0 || number >= values().length ? INTERNAL : values()[number];
    }

    /** The number on the wire, 0 to 23. */
    public int number() {
        return number;
    }

    /** The HTTP status that goes with the code; {@link #UNSUPPORTED} may be switched to 406 by configuration. */
    public int status() {
        return status;
    }

    /** Whether the same attempt may succeed later although nobody has mended anything: a job that fails with it is tried again. */
    public boolean isPassing() {
        return this == CONCURRENT_MODIFICATION || this == SERVICE_UNAVAILABLE || this == THROTTLING;
    }

    /** The name LanceDB clients read as {@code error_code}, in snake case. */
    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The title of a problem document: the specification's name of the code, such as {@code TableNotFound}. */
    public String title() {
        StringBuilder title = new StringBuilder();
        for (String word : name().split("_", -1)) {
            title.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return title.toString();
    }
}
