package io.rask.catalog.lance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.problem.ErrorCode;
import org.junit.jupiter.api.Test;

class NativeErrorsTest {
    /** Measured with pylance 14: its directory catalog commits to the manifest without a file that this library asks for. */
    @Test
    void aCommitThatANewerLibraryMadeMeanwhileIsAConflictToTryAgainAfter() {
        RuntimeException failure = new RuntimeException("Encountered internal error. Please file a bug report. "
                + "Dataset version 17 does not have a transaction file, dataset.rs:2839:29");
        assertThat(NativeErrors.cause(failure)).isEqualTo(NativeErrors.Cause.CONFLICT);
        assertThat(NativeErrors.translate(failure).code()).isEqualTo(ErrorCode.CONCURRENT_MODIFICATION);
    }
}
