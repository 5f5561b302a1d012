package io.rask.catalog.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {
    private static final String CONTRACT = """
            0 501 Unsupported unsupported
            1 404 NamespaceNotFound namespace_not_found
            2 409 NamespaceAlreadyExists namespace_already_exists
            3 409 NamespaceNotEmpty namespace_not_empty
            4 404 TableNotFound table_not_found
            5 409 TableAlreadyExists table_already_exists
            6 404 TableIndexNotFound table_index_not_found
            7 409 TableIndexAlreadyExists table_index_already_exists
            8 404 TableTagNotFound table_tag_not_found
            9 409 TableTagAlreadyExists table_tag_already_exists
            10 404 TransactionNotFound transaction_not_found
            11 404 TableVersionNotFound table_version_not_found
            12 404 TableColumnNotFound table_column_not_found
            13 400 InvalidInput invalid_input
            14 409 ConcurrentModification concurrent_modification
            15 403 PermissionDenied permission_denied
            16 401 Unauthenticated unauthenticated
            17 503 ServiceUnavailable service_unavailable
            18 500 Internal internal
            19 409 InvalidTableState invalid_table_state
            20 400 TableSchemaValidationError table_schema_validation_error
            21 429 Throttling throttling
            22 404 TableBranchNotFound table_branch_not_found
            23 409 TableBranchAlreadyExists table_branch_already_exists
            """;

    @Test
    void everyCodeOfTheSpecificationHasItsNumberStatusAndNames() {
        String codes = Arrays.stream(ErrorCode.values())
                .map(code -> code.number() + " " + code.status() + " " + code.title() + " " + code.wireName() + "\n")
                .collect(Collectors.joining());
        assertThat(codes).isEqualTo(CONTRACT);
    }

    @Test
    void onlyWhatNobodyHasToMendIsTriedAgain() {
        assertThat(Arrays.stream(ErrorCode.values()).filter(ErrorCode::isPassing))
                .containsExactly(
                        ErrorCode.CONCURRENT_MODIFICATION, ErrorCode.SERVICE_UNAVAILABLE, ErrorCode.THROTTLING);
    }

    @Test
    void everyCodeIsAnsweredWithItsOwnStatus() {
        for (ErrorCode code : ErrorCode.values()) {
            Refusal refusal = Refusal.of(CatalogException.of(code, "Because."), 406);
            assertThat(refusal.status()).isEqualTo(code == ErrorCode.UNSUPPORTED ? 406 : code.status());
            assertThat(refusal.code()).isEqualTo(code);
        }
    }
}
