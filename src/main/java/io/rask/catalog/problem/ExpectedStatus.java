package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;

/** The status a request's client knows a failure by, where it is not the one that goes with the code. */
public final class ExpectedStatus {
    private static final String PREFIX = ExpectedStatus.class.getName() + ".";

    private ExpectedStatus() {}

    /** Has a failure with this code answered with this status, for this request alone. */
    public static void expect(HttpServletRequest request, ErrorCode code, int status) {
        request.setAttribute(PREFIX + code, status);
    }

    static Optional<Integer> of(HttpServletRequest request, ErrorCode code) {
        return request.getAttribute(PREFIX + code) instanceof Integer status ? Optional.of(status) : Optional.empty();
    }
}
