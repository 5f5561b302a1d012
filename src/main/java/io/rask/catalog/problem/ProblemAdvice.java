package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers everything handlers and the framework throw. */
@RestControllerAdvice
final class ProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(ProblemAdvice.class);

    private final ProblemWriter problems;
    private final ObjectProvider<SecondLook> looks;

    ProblemAdvice(ProblemWriter problems, ObjectProvider<SecondLook> looks) {
        this.problems = problems;
        this.looks = looks;
    }

    @ExceptionHandler
    void answer(Throwable failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean unexpected = failure instanceof CatalogException known && known.code() == ErrorCode.INTERNAL;
        problems.write(unexpected ? better(failure, request) : failure, request, response);
    }

    private Throwable better(Throwable failure, HttpServletRequest request) {
        try {
            Optional<CatalogException> reason = looks.stream()
                    .flatMap(look -> look.reason(request).stream())
                    .findFirst();
            reason.ifPresent(found ->
                    LOG.debug("A failure is told as code {}.", found.code().number(), failure));
            return reason.<Throwable>map(found -> found).orElse(failure);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
            return failure;
        }
    }
}
