package io.rask.catalog.problem;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers everything handlers and the framework throw. */
@RestControllerAdvice
final class ProblemAdvice {
    private final ProblemWriter problems;

    ProblemAdvice(ProblemWriter problems) {
        this.problems = problems;
    }

    @ExceptionHandler
    void answer(Throwable failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
        problems.write(failure, request, response);
    }
}
