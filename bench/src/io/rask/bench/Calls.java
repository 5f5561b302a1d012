package io.rask.bench;

import io.rask.bench.Ledger.Ending;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calls of one client. Each goes to a server by chance; one that was certainly not sent goes to the other. */
final class Calls {
    private static final Duration NO_ANSWER = Duration.ofMinutes(2);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int EVERY_ONE = -1;

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final Replicas replicas;
    private final Ledger ledger;
    private final Random random;
    private final int only;

    private Calls(Replicas replicas, Ledger ledger, Random random, int only) {
        this.replicas = replicas;
        this.ledger = ledger;
        this.random = random;
        this.only = only;
    }

    static Calls toAny(Replicas replicas, Ledger ledger, Random random) {
        return new Calls(replicas, ledger, random, EVERY_ONE);
    }

    static Calls toOne(Replicas replicas, Ledger ledger, int replica) {
        return new Calls(replicas, ledger, new Random(replica), replica);
    }

    /** How a call ended. */
    sealed interface Outcome {}

    record Acknowledged(byte[] body) implements Outcome {
        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }
    }

    /** @param code the code of the problem; -1 where there is none */
    record Refused(int status, int code, String text) implements Outcome {}

    /** Nobody knows whether it happened. */
    record Unknown(String why) implements Outcome {}

    /** Posts JSON text. */
    Outcome post(String kind, String path, String json) {
        return send(
                kind,
                path,
                request -> request.header("Content-Type", "application/json").POST(BodyPublishers.ofString(json)));
    }

    /** Posts an Arrow stream. */
    Outcome arrow(String kind, String path, byte[] stream) {
        return send(
                kind,
                path,
                request -> request.header("Content-Type", "application/vnd.apache.arrow.stream")
                        .POST(BodyPublishers.ofByteArray(stream)));
    }

    /** Posts a question until it is answered or refused. */
    Outcome ask(String kind, String path, String json) {
        return answered(kind, () -> post(kind, path, json));
    }

    /** Gets until it is answered or refused. */
    Outcome get(String kind, String path) {
        return answered(kind, () -> send(kind, path, HttpRequest.Builder::GET));
    }

    /** The answer to a question that must be answered. */
    Acknowledged require(String kind, String path, String json) {
        return required(path, ask(kind, path, json));
    }

    static Acknowledged required(String path, Outcome outcome) {
        if (outcome instanceof Acknowledged acknowledged) {
            return acknowledged;
        }
        throw new IllegalStateException(path + ": " + outcome);
    }

    private interface Attempt {
        Outcome once();
    }

    private Outcome answered(String kind, Attempt attempt) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        Outcome outcome = attempt.once();
        while (outcome instanceof Unknown unknown) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("No answer to " + kind + ": " + unknown.why());
            }
            LockSupport.parkNanos(PAUSE.toNanos());
            outcome = attempt.once();
        }
        return outcome;
    }

    private interface Shape {
        HttpRequest.Builder of(HttpRequest.Builder request);
    }

    private Outcome send(String kind, String path, Shape shape) {
        Outcome outcome = exchange(path, shape);
        ledger.count(
                kind,
                switch (outcome) {
                    case Acknowledged _unused -> Ending.ACKNOWLEDGED;
                    case Refused _unused -> Ending.REFUSED;
                    case Unknown _unused -> Ending.UNKNOWN;
                });
        return outcome;
    }

    private Outcome exchange(String path, Shape shape) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        int replica = only == EVERY_ONE ? random.nextInt(Replicas.COUNT) : only;
        while (true) {
            long began = System.nanoTime();
            try {
                HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(replicas.url(replica) + path))
                        .timeout(NO_ANSWER);
                return outcome(path, began, http.send(shape.of(request).build(), BodyHandlers.ofByteArray()));
            } catch (ConnectException e) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("No server takes connections", e);
                }
                LockSupport.parkNanos(PAUSE.toNanos());
                replica = only == EVERY_ONE ? (replica + 1) % Replicas.COUNT : only;
            } catch (HttpTimeoutException e) {
                ledger.failure("no answer to " + path + " within " + NO_ANSWER);
                return new Unknown(e.toString());
            } catch (IOException e) {
                if (!replicas.crashExplains(began)) {
                    ledger.failure("without a crash, " + path + ": " + e);
                }
                return new Unknown(e.toString());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
    }

    private Outcome outcome(String path, long began, HttpResponse<byte[]> response) {
        int status = response.statusCode();
        if (status < 300) {
            return new Acknowledged(response.body());
        }
        String text = new String(response.body(), StandardCharsets.UTF_8);
        if (status < 500) {
            return new Refused(status, code(response.body()), text);
        }
        boolean unavailable = status == 503 || status == 504;
        if (!unavailable || !replicas.crashExplains(began)) {
            ledger.failure(path + " answered " + status + ": " + text);
        }
        ledger.unavailable(status + " " + detail(response.body()));
        return new Unknown(status + " " + text);
    }

    private static int code(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body).path("code").asInt(-1);
        } catch (JacksonException e) {
            return -1;
        }
    }

    private static String detail(byte[] body) {
        try {
            return JsonMapper.shared().readTree(body).path("detail").asString("");
        } catch (JacksonException e) {
            return "";
        }
    }
}
