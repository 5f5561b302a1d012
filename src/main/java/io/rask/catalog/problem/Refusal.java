package io.rask.catalog.problem;

import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.problem.CatalogException.Resource;
import jakarta.servlet.ServletException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.MissingServletRequestParameterException;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;

/**
 * What a failure means to the client.
 *
 * @param members what the problem tells beside its own members
 * @param status the HTTP status, which differs from the code's own for what the framework refuses
 * @param headers headers the answer needs, such as {@code Allow}
 */
record Refusal(
        ErrorCode code,
        int status,
        String text,
        @Nullable Resource resource,
        @Nullable Duration retryAfter,
        List<FieldViolation> violations,
        Map<String, Object> members,
        HttpHeaders headers) {
    private static final String INTERNAL_TEXT =
            "The server failed in a way it did not expect; the request id leads the operator to the cause.";
    private static final int LONGEST_CHAIN = 30;

    /** Decides by the kind of the failure, never by its text. */
    static Refusal of(Throwable failure, int unsupportedStatus) {
        Optional<RequestBodyException> body = bodyFailure(failure);
        if (body.isPresent()) {
            HttpHeaders headers = new HttpHeaders();
            headers.set(HttpHeaders.CONNECTION, "close");
            return new Refusal(
                    ErrorCode.INVALID_INPUT,
                    body.get().status(),
                    String.valueOf(body.get().getMessage()),
                    null,
                    null,
                    List.of(),
                    Map.of(),
                    headers);
        }
        return switch (unwrap(failure)) {
            case CatalogException e -> known(e, unsupportedStatus);
            case HandlerMethodValidationException e -> invalid("A parameter of the request breaks a rule.", fields(e));
            case MissingServletRequestParameterException e ->
                invalid("The query parameter '" + e.getParameterName() + "' is missing.", List.of());
            case MethodArgumentTypeMismatchException e ->
                invalid("The parameter '" + e.getName() + "' has a value of the wrong type.", List.of());
            case TypeMismatchException e ->
                invalid("A parameter of the request has a value of the wrong type.", List.of());
            case ErrorResponse e -> framework(e.getStatusCode().value(), e.getHeaders());
            default -> of(ErrorCode.INTERNAL, INTERNAL_TEXT);
        };
    }

    /** The same under another status. */
    Refusal under(int other) {
        return new Refusal(code, other, text, resource, retryAfter, violations, members, headers);
    }

    /** The refusal of a request by status alone, as the container and the framework give it. */
    static Refusal framework(int status, HttpHeaders headers) {
        ErrorCode code = switch (status) {
            case 401 -> ErrorCode.UNAUTHENTICATED;
            case 403 -> ErrorCode.PERMISSION_DENIED;
            case 404, 405, 501 -> ErrorCode.UNSUPPORTED;
            case 429 -> ErrorCode.THROTTLING;
            case 503 -> ErrorCode.SERVICE_UNAVAILABLE;
            default -> status < 500 ? ErrorCode.INVALID_INPUT : ErrorCode.INTERNAL;
        };
        return new Refusal(code, status, frameworkText(status), null, null, List.of(), Map.of(), headers);
    }

    private static String frameworkText(int status) {
        return switch (status) {
            case 400 ->
                "The request is malformed: its first line, a header, an escape in its address or its body cannot be read.";
            case 404 -> "There is no such route; check the address and the operation's name.";
            case 405 -> "The route does not take this method; the Allow header names those it takes.";
            case 408 -> "The request stopped arriving; send it again.";
            case 413 -> "The request body is too large; send less at a time.";
            case 414, 431 -> "The address or the headers of the request are too large.";
            case 501 -> "The server does not know this method or transfer coding.";
            case 503 -> "The server cannot take the request now; try again later.";
            default -> status < 500 ? "The server refuses the request as it is." : INTERNAL_TEXT;
        };
    }

    private static Refusal known(CatalogException e, int unsupportedStatus) {
        int status =
                e.code() == ErrorCode.UNSUPPORTED ? unsupportedStatus : e.code().status();
        String text = status >= 500 ? Redaction.redact(e.text()) : e.text();
        return new Refusal(
                e.code(),
                status,
                text,
                e.resource().orElse(null),
                e.retryAfter().orElse(null),
                e.violations(),
                e.members(),
                challenges(e));
    }

    private static HttpHeaders challenges(CatalogException e) {
        HttpHeaders headers = new HttpHeaders();
        e.challenges().forEach(challenge -> headers.add(HttpHeaders.WWW_AUTHENTICATE, challenge));
        return headers;
    }

    private static Refusal of(ErrorCode code, String text) {
        return new Refusal(code, code.status(), text, null, null, List.of(), Map.of(), HttpHeaders.EMPTY);
    }

    private static Refusal invalid(String text, List<FieldViolation> violations) {
        return new Refusal(
                ErrorCode.INVALID_INPUT,
                ErrorCode.INVALID_INPUT.status(),
                text,
                null,
                null,
                violations,
                Map.of(),
                HttpHeaders.EMPTY);
    }

    private static List<FieldViolation> fields(HandlerMethodValidationException e) {
        return e.getParameterValidationResults().stream()
                .flatMap(result -> result.getResolvableErrors().stream()
                        .map(error -> new FieldViolation(
                                String.valueOf(result.getMethodParameter().getParameterName()),
                                String.valueOf(error.getDefaultMessage()))))
                .toList();
    }

    private static Optional<RequestBodyException> bodyFailure(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; at != null && i < LONGEST_CHAIN; i++) {
            if (at instanceof RequestBodyException found) {
                return Optional.of(found);
            }
            at = at.getCause();
        }
        return Optional.empty();
    }

    private static Throwable unwrap(Throwable failure) {
        Throwable at = failure;
        for (int i = 0; i < LONGEST_CHAIN; i++) {
            Throwable cause = at.getCause();
            boolean wrapper = at instanceof CompletionException
                    || at instanceof ExecutionException
                    || at instanceof UndeclaredThrowableException
                    || at.getClass() == ServletException.class;
            if (!wrapper || cause == null) {
                return at;
            }
            at = cause;
        }
        return at;
    }
}
