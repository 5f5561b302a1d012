package io.rask.catalog.record;

/** Bytes under a record's key that are no record: not JSON, without the fields every record has, or of a newer format. */
final class CorruptRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    CorruptRecordException(RecordKey key, String reason) {
        super(key + " " + reason);
    }

    CorruptRecordException(RecordKey key, String reason, Throwable cause) {
        super(key + " " + reason, cause);
    }
}
