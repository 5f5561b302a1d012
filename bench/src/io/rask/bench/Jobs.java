package io.rask.bench;

import io.rask.bench.Calls.Acknowledged;
import io.rask.bench.Calls.Outcome;
import io.rask.bench.Calls.Refused;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/** Asks for work of the workers, and sees that nothing that was accepted is lost. */
final class Jobs {
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Ledger ledger;
    private final Queue<String> accepted = new ConcurrentLinkedQueue<>();

    Jobs(Ledger ledger) {
        this.ledger = ledger;
    }

    void compact(Calls calls, String table) {
        String path = table + "/maintenance/compact";
        switch (calls.post("compact", path, "{}")) {
            case Acknowledged answer ->
                accepted.add(answer.json().path("job_id").asString());
            case Refused refused -> ledger.failure(path + " was refused: " + refused);
            case Calls.Unknown _unused -> {}
        }
    }

    /** Looks at a job that was accepted before. */
    void look(Calls calls) {
        String id = accepted.peek();
        if (id != null) {
            describe(calls, id);
        }
    }

    private JsonNode describe(Calls calls, String id) {
        return calls.require("describe job", "/v1/jobs/describe", "{\"job_id\":\"" + id + "\"}")
                .json();
    }

    /** Waits until no job is left open, and counts how those that were accepted ended. */
    void settle(Calls calls) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (hasOpen(calls)) {
            if (System.nanoTime() > end) {
                ledger.failure("jobs are open " + PATIENCE + " after the load has ended");
                break;
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
        for (String id : accepted) {
            JsonNode job = describe(calls, id);
            String failure = job.path("failure").path("message").asString("");
            ledger.note("job " + job.path("job_type").asString() + " "
                    + job.path("job_state").asString()
                    + (failure.isEmpty() || job.path("job_state").asString().equals("DONE")
                            ? ""
                            : ": " + plain(failure)));
        }
    }

    private static String plain(String failure) {
        return failure.replaceAll("[a-z0-9]+\\$[a-z0-9$]+|[0-9a-f-]{16,}|[0-9]+", "#")
                .replaceAll("\\s+", " ");
    }

    private static boolean hasOpen(Calls calls) {
        JsonNode jobs = calls.require("list jobs", "/v1/jobs/list", "{\"limit\":1000}")
                .json()
                .path("jobs");
        return jobs.valueStream().anyMatch(job -> job.path("state").asString().equals("IN_PROGRESS"));
    }

    /** The result of a search for folders that no table has. */
    JsonNode orphans(Calls calls, String warehouse) {
        String path = "/v1/warehouses/" + warehouse + "/orphans/scan";
        Outcome outcome = calls.ask("scan orphans", path, "{\"minimum_age_seconds\":0}");
        String id = Calls.required(path, outcome).json().path("job_id").asString();
        long end = System.nanoTime() + PATIENCE.toNanos();
        JsonNode job = describe(calls, id);
        while (job.path("job_state").asString().equals("IN_PROGRESS") && System.nanoTime() < end) {
            LockSupport.parkNanos(PAUSE.toNanos());
            job = describe(calls, id);
        }
        if (!job.path("job_state").asString().equals("DONE")) {
            ledger.failure("the search for orphans did not end: " + job);
        }
        return job.path("result");
    }
}
