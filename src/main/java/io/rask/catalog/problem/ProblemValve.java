package io.rask.catalog.problem;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers what the container itself refuses, before any filter runs: a bad request line, a bad escape, headers that are too large. */
final class ProblemValve extends ErrorReportValve {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemValve.class);

    private final ProblemWriter problems;

    ProblemValve(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failure) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        AtomicBoolean writable = new AtomicBoolean();
        response.getCoyoteResponse().action(ActionCode.IS_IO_ALLOWED, writable);
        if (!writable.get()) {
            return;
        }
        try {
            // Along with a refusal of its own, the container hands over how it came about; the status says it all.
            if (failure == null || status < 500) {
                problems.write(status, request.getRequest(), response.getResponse());
            } else {
                problems.write(failure, request.getRequest(), response.getResponse());
            }
            response.finishResponse();
        } catch (IOException e) {
            LOG.debug("The client left before it could be told of status {}", status, e);
        }
    }
}
