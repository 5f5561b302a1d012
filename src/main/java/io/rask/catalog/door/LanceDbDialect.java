package io.rask.catalog.door;

import io.rask.catalog.id.RawPath;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.problem.ExpectedStatus;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.regex.Pattern;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** What LanceDB's own clients expect of every answer, beyond what handlers render for them. */
final class LanceDbDialect {
    private static final String SERVER_VERSION_HEADER = "phalanx-version";

    /** The features clients may use: several query vectors and structured text queries, but no uploads in parts and no blobs. */
    private static final String SERVER_VERSION = "0.3.0";

    /** LanceDB for Node up to here reads no list of indices that has a type it does not know. */
    private static final Pattern OLD = Pattern.compile("LanceDB-Node-Client/0\\.([0-9]|[12][0-9]|3[0-8])\\..*");

    private LanceDbDialect() {}

    /** Whether the client is one of LanceDB's own. */
    static boolean isSpokenBy(HttpServletRequest request) {
        return RawPath.of(request).lanceDbDialect();
    }

    /** Whether the client is one that fails on types of indices it does not know. */
    static boolean isClosedTo(HttpServletRequest request) {
        String agent = request.getHeader(HttpHeaders.USER_AGENT);
        return isSpokenBy(request) && agent != null && OLD.matcher(agent).matches();
    }

    static void prepare(HttpServletRequest request, HttpServletResponse response) {
        if (isSpokenBy(request)) {
            response.setHeader(SERVER_VERSION_HEADER, SERVER_VERSION);
            // They try a conflict again and again, and know this one by its text under a bad request.
            ExpectedStatus.expect(request, ErrorCode.TABLE_ALREADY_EXISTS, HttpStatus.BAD_REQUEST.value());
        }
    }
}
