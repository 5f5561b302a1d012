package io.rask.catalog.problem;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.coyote.CloseNowException;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Catches what filters throw and what the handlers' advice could not answer, and breaks the connection under an answer that failed
 * half way: ended cleanly, it would pass for a complete one.
 */
@Component
@Order(FilterOrder.PROBLEMS)
final class ProblemFilter extends OncePerRequestFilter {
    private final ProblemWriter problems;

    ProblemFilter(ProblemWriter problems) {
        this.problems = problems;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException {
        if (!isAsyncDispatch(request)) {
            OriginalUri.remember(request);
        }
        try {
            chain.doFilter(request, response);
        } catch (Exception | LinkageError | StackOverflowError e) {
            problems.write(e, request, response);
        }
        if (request.getAttribute(ProblemWriter.BROKEN_ANSWER) != null) {
            throw new CloseNowException("The answer failed after it had begun.");
        }
    }
}
