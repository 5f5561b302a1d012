package io.rask.catalog.access;

import dev.openfga.sdk.api.OpenFgaApi;
import dev.openfga.sdk.api.client.ApiClient;
import dev.openfga.sdk.api.client.ApiResponse;
import dev.openfga.sdk.api.configuration.ApiToken;
import dev.openfga.sdk.api.configuration.Configuration;
import dev.openfga.sdk.api.configuration.Credentials;
import dev.openfga.sdk.errors.ApiException;
import dev.openfga.sdk.errors.FgaInvalidParameterException;
import io.rask.catalog.platform.FgaProperties;
import io.rask.catalog.problem.CatalogException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call to the engine: again where that helps, until the one budget of the call is spent. Every call of the catalog may be sent
 * twice. Whatever goes wrong is code 17, so that no failure is ever taken for an answer.
 */
final class EngineTransport {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERRORS = 500;

    private final OpenFgaApi api;
    private final Duration budget;

    EngineTransport(FgaProperties settings) {
        this.budget = settings.timeout();
        Configuration configuration = new Configuration()
                .apiUrl(String.valueOf(settings.apiUrl()))
                .connectTimeout(budget)
                .readTimeout(budget)
                .maxRetries(0);
        String token = settings.token();
        if (token != null && !token.isEmpty()) {
            configuration.credentials(new Credentials(new ApiToken(token)));
        }
        try {
            this.api = new OpenFgaApi(
                    configuration,
                    new ApiClient(HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .connectTimeout(budget)));
        } catch (FgaInvalidParameterException e) {
            throw new IllegalArgumentException("lance.fga.api-url is not usable: " + e.getMessage(), e);
        }
    }

    /** For how long one call is tried. */
    Duration budget() {
        return budget;
    }

    /** One call of the engine's API. */
    @FunctionalInterface
    interface Call<T> {
        CompletableFuture<ApiResponse<T>> send(OpenFgaApi api) throws FgaInvalidParameterException, ApiException;
    }

    /**
     * The engine's answer.
     *
     * @throws CatalogException code 17 without one; its cause says why
     */
    <T> T call(Call<T> call) {
        long deadline = System.nanoTime() + budget.toNanos();
        long pause = FIRST_PAUSE.toNanos();
        while (true) {
            Throwable failure;
            try {
                return sent(call, deadline - System.nanoTime());
            } catch (ExecutionException e) {
                failure = e.getCause() == null ? e : e.getCause();
            } catch (ApiException | FgaInvalidParameterException e) {
                failure = e;
            } catch (TimeoutException e) {
                throw unavailable(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw unavailable(e);
            }
            if (!mayPass(failure) || deadline - System.nanoTime() < pause) {
                throw unavailable(failure);
            }
            LockSupport.parkNanos(pause);
            pause *= 2;
        }
    }

    private <T> T sent(Call<T> call, long left)
            throws ApiException, FgaInvalidParameterException, ExecutionException, InterruptedException,
                    TimeoutException {
        CompletableFuture<ApiResponse<T>> answer = call.send(api);
        try {
            return answer.get(Math.max(left, 0), TimeUnit.NANOSECONDS).getData();
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw e;
        }
    }

    private static boolean mayPass(Throwable failure) {
        Integer status = status(failure);
        return status == null || status == 0 || status == TOO_MANY || status >= SERVER_ERRORS;
    }

    /** The status of a refusal of the engine; null where it did not answer. */
    static @Nullable Integer status(@Nullable Throwable failure) {
        return failure instanceof ApiException refused ? refused.getStatusCode() : null;
    }

    static CatalogException unavailable(@Nullable Throwable cause) {
        return CatalogException.unavailable("The permission engine does not answer; try again in a moment.", cause);
    }
}
