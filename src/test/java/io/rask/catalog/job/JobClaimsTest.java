package io.rask.catalog.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.Settings;
import io.rask.catalog.testing.TestClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Who may work on a job, and what becomes of it when that ends badly. */
class JobClaimsTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration DIFFERENCE = Duration.ofSeconds(5);
    private static final Set<String> KINDS = Set.of(TrialJob.NAME);
    private static final String NOTES = "_rebuilds";

    @TempDir
    Path folder;

    private TestClock clock;
    private Process one;

    /** What one process has of its own: two over one folder share nothing but the records. */
    private record Process(
            Records records,
            JobRecords jobs,
            JobRegistry registry,
            JobEvents events,
            JobClaims claims,
            JobRetention retention) {
        static Process over(Path folder, TestClock clock) {
            CatalogProperties settings = Settings.of(Map.of("lance.jobs.lease", "30s", "lance.jobs.attempts", "2"));
            Records records = new Records(new FileRecordStore(folder), clock);
            Leases leases = new Leases(records, clock, DIFFERENCE);
            JobRecords jobs = new JobRecords(records);
            JobEvents events = new JobEvents(records);
            JobRegistry registry = new JobRegistry(jobs, events, new JobBell(), leases, clock, settings);
            return new Process(
                    records,
                    jobs,
                    registry,
                    events,
                    new JobClaims(jobs, registry, events, clock, settings),
                    new JobRetention(records, jobs, events, leases, List.of(() -> NOTES), clock, settings));
        }

        Job submit() {
            return registry.submit(TrialJob.spec(TrialJob.Act.WAIT, Path.of("any"), Duration.ZERO));
        }

        JobClaim take(String worker) {
            return claims.take(worker, KINDS).orElseThrow();
        }

        JobRun run(JobClaim claim, TestClock clock) {
            return new JobRun(claims, events, clock, String.valueOf(claim.job().worker()), claim);
        }
    }

    @BeforeEach
    void open() {
        clock = new TestClock(START);
        one = Process.over(folder, clock);
    }

    private static String message(Job job) {
        JobFailure failure = job.failure();
        return failure == null ? "" : failure.message();
    }

    private void sweep() {
        int rounds = 1;
        while (one.retention.sweep("server")) {
            assertThat(rounds++).isLessThan(100);
        }
    }

    private static ObjectNode result() {
        return JsonNodeFactory.instance.objectNode().put("rows", 7);
    }

    @Test
    void aJobIsTakenOnceDoneAndMovedToTheFinishedOnes() {
        Job job = one.submit();
        JobClaim claim = one.take("a");
        assertThat(claim.job().attempts()).isEqualTo(1);
        assertThat(one.claims.take("b", KINDS)).isEmpty();
        assertThat(one.claims.succeed(claim, result())).isPresent();
        assertThat(one.registry.open()).isEmpty();
        Job done = one.registry.require(job.id());
        assertThat(done.state()).isEqualTo(JobState.DONE);
        assertThat(done.result()).isEqualTo(result());
        assertThat(one.claims.succeed(claim, result())).isEmpty();
    }

    @Test
    void ofManyWorkersOneGetsAJob() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            processes.add(Process.over(folder, clock));
        }
        try (Race race = new Race(8)) {
            for (int round = 0; round < 10; round++) {
                Job job = one.submit();
                List<Optional<JobClaim>> taken =
                        race.run(runner -> processes.get(runner).claims.take("worker-" + runner, KINDS));
                assertThat(taken.stream().flatMap(Optional::stream)).hasSize(1);
                JobClaim claim =
                        taken.stream().flatMap(Optional::stream).findFirst().orElseThrow();
                assertThat(claim.id()).isEqualTo(job.id());
                one.claims.succeed(claim, result());
            }
        }
    }

    @Test
    void whoLostTheLeaseNeitherCommitsNorChangesTheJob() {
        one.submit();
        JobRun first = one.run(one.take("a"), clock);
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        JobClaim second = one.take("b");
        assertThatThrownBy(() -> first.beforeCommit(result())).isInstanceOf(JobInterrupted.class);
        assertThat(one.claims.succeed(first.claim(), result())).isEmpty();
        assertThat(one.claims.putBack(first.claim())).isEmpty();
        Job now = one.registry.require(second.id());
        assertThat(now.worker()).isEqualTo("b");
        assertThat(now.intent()).isNull();
        assertThat(now.attempts()).isEqualTo(2);
    }

    @Test
    void aHolderStopsByItsOwnClockBeforeAnotherMayTakeTheJob() {
        one.submit();
        JobRun run = one.run(one.take("a"), clock);
        clock.advance(LEASE);
        assertThatThrownBy(run::checkpoint).isInstanceOf(JobInterrupted.class);
        assertThat(one.claims.take("b", KINDS)).isEmpty();
    }

    @Test
    void aBeatKeepsTheJobAndCarriesProgressAndEvents() {
        Job job = one.submit();
        JobRun run = one.run(one.take("a"), clock);
        run.progress(3, 9, "groups");
        run.tell("progress", 3L, "three");
        clock.advance(LEASE.minusSeconds(1));
        run.beat();
        clock.advance(LEASE.minusSeconds(1));
        run.checkpoint();
        assertThat(one.registry.require(job.id()).progress()).isEqualTo(new Job.Progress(3, 9, "groups"));
        assertThat(one.events.of(job.id()).events())
                .extracting(JobEvent::state)
                .containsExactly("queued", "claim", "progress");
    }

    @Test
    void theNextAttemptSeesWhatTheOneBeforeWasAboutToCommit() {
        one.submit();
        JobRun first = one.run(one.take("a"), clock);
        first.beforeCommit(result());
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        JobRun second = one.run(one.take("b"), clock);
        ObjectNode intended = second.intended().orElseThrow();
        assertThat(intended.path("rows").asInt()).isEqualTo(7);
        assertThat(intended.path("attempt").asInt()).isEqualTo(1);
        assertThat(intended.path("job_id").asString()).isEqualTo(first.jobId());
    }

    @Test
    void aWorkerThatKeepsVanishingFailsTheJobWithItsCause() {
        Job job = one.submit();
        one.take("a");
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        one.take("b");
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        assertThat(one.claims.take("c", KINDS)).isEmpty();
        Job failed = one.registry.require(job.id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(message(failed)).contains("died while starting", "attempt 2 of 2");
    }

    @Test
    void theJobsOfAWorkerKnownToBeDeadDoNotWaitForTheLease() {
        Job job = one.submit();
        one.take("a");
        assertThat(one.claims.release("other", "server", "exit status 134")).isFalse();
        assertThat(one.registry.require(job.id()).state()).isEqualTo(JobState.RUNNING);
        assertThat(one.claims.release("a", "server", "killed by signal 6")).isTrue();
        assertThat(one.claims.take("b", KINDS))
                .as("the pause before the next attempt")
                .isEmpty();
        clock.advance(Duration.ofSeconds(5));
        one.take("b");
        one.claims.release("b", "server", "killed by signal 6");
        Job failed = one.registry.require(job.id());
        assertThat(failed.state()).isEqualTo(JobState.FAILED);
        assertThat(message(failed)).contains("killed by signal 6");
    }

    @Test
    void aFailureThatMayPassIsTriedAgainAndOneThatStaysIsNot() {
        Job passing = one.submit();
        one.claims.fail(one.take("a"), new JobFailure("compacting", "later", true));
        assertThat(one.registry.require(passing.id()).state()).isEqualTo(JobState.QUEUED);
        Job staying = one.submit();
        one.claims.fail(one.take("a"), new JobFailure("compacting", "never", false));
        assertThat(one.registry.require(staying.id()).state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void aJobThatIsPutBackHasNotBeenTried() {
        Job job = one.submit();
        one.claims.putBack(one.take("a"));
        assertThat(one.registry.require(job.id()).attempts()).isZero();
        assertThat(one.take("b").job().attempts()).isEqualTo(1);
    }

    @Test
    void aCancelledJobThatWaitsEndsAtOnceAndOneThatRunsAtItsNextStep() {
        Job waiting = one.submit();
        assertThat(one.registry.cancel(waiting.id()).state()).isEqualTo(JobState.CANCELLED);
        Job running = one.submit();
        JobRun run = one.run(one.take("a"), clock);
        assertThat(one.registry.cancel(running.id()).state()).isEqualTo(JobState.RUNNING);
        run.beat();
        assertThatThrownBy(run::checkpoint).isInstanceOf(JobInterrupted.class);
        assertThat(one.claims.cancelled(run.claim()).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
        assertThat(one.registry.cancel(running.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aCancelledJobWhoseWorkerVanishedIsNotTriedAgain() {
        Job job = one.submit();
        one.take("a");
        one.registry.cancel(job.id());
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        assertThat(one.claims.take("b", KINDS)).isEmpty();
        assertThat(one.registry.require(job.id()).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void jobsOfUnknownKindsAreLeftToOthers() {
        one.submit();
        assertThat(one.claims.take("old", Set.of("compact_table"))).isEmpty();
        assertThat(one.claims.take("new", KINDS)).isPresent();
    }

    @Test
    void aJobThatEndedBeforeACrashIsMovedByWhoeverLooks() throws Exception {
        Job job = one.submit();
        one.claims.succeed(one.take("a"), result());
        // The moment between the two writes: the finished record is not there yet, and the open one is terminal.
        Path finished = folder.resolve(JobRecords.FINISHED + "/" + job.id() + ".json");
        Path open = folder.resolve(JobRecords.OPEN + "/" + job.id() + ".json");
        Files.move(finished, open, StandardCopyOption.REPLACE_EXISTING);
        Process other = Process.over(folder, clock);
        assertThat(other.registry.require(job.id()).state()).isEqualTo(JobState.DONE);
        assertThat(other.registry.open()).isEmpty();
        assertThat(finished).exists();
        assertThat(other.registry.page("f:", 10).jobs()).extracting(Job::id).containsExactly(job.id());
    }

    @Test
    void pagesHoldEveryJobOnce() {
        List<String> submitted = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            submitted.add(one.submit().id());
            clock.advance(Duration.ofMillis(1));
        }
        for (int i = 0; i < 3; i++) {
            one.claims.succeed(one.take("a"), result());
        }
        List<String> seen = new ArrayList<>();
        String token = null;
        do {
            JobRegistry.JobPage page = one.registry.page(token, 2);
            assertThat(page.jobs()).hasSizeLessThanOrEqualTo(2);
            page.jobs().forEach(job -> seen.add(job.id()));
            token = page.next();
        } while (token != null);
        assertThat(submitted).isSorted();
        assertThat(seen).containsExactlyInAnyOrderElementsOf(submitted);
    }

    @Test
    void oldJobsAreForgottenWithTheirEventsAndYoungOnesAreNot() throws Exception {
        Job old = one.submit();
        one.claims.succeed(one.take("a"), result());
        clock.advance(Duration.ofDays(6));
        Job young = one.submit();
        one.claims.succeed(one.take("a"), result());
        one.claims.tell(one.registry.require(young.id()), "late", "a", "worker", null, "still here");
        clock.advance(Duration.ofDays(2));
        sweep();
        assertThat(one.registry.find(old.id())).isEmpty();
        assertThat(one.events.of(old.id()).events()).isEmpty();
        assertThat(one.registry.find(young.id())).isPresent();
        assertThat(one.events.of(young.id()).events()).isNotEmpty();
        try (Stream<Path> files = Files.list(folder.resolve(JobRecords.OPEN))) {
            assertThat(files.filter(file -> file.toString().endsWith(".json"))).isEmpty();
        }
    }

    @Test
    void whoeverForgetsManyJobsForgetsSomeAtATimeAndAllInTheEnd() {
        for (int i = 0; i < 60; i++) {
            one.submit();
            one.claims.succeed(one.take("a"), result());
        }
        clock.advance(Duration.ofDays(8));
        int before = 60;
        while (one.retention.sweep("server")) {
            int now = one.records
                    .all(JobRecords.FINISHED, Records.Unreadable.FAIL)
                    .size();
            assertThat(before - now).isLessThanOrEqualTo(50);
            before = now;
        }
        assertThat(one.records.all(JobRecords.FINISHED, Records.Unreadable.FAIL))
                .isEmpty();
    }

    @Test
    void whatIsNotedOfJobsIsForgottenLikeThem() {
        one.records.put(RecordKey.of(NOTES, "old"), result());
        clock.advance(Duration.ofDays(6));
        one.records.put(RecordKey.of(NOTES, "young"), result());
        clock.advance(Duration.ofDays(2));
        sweep();
        assertThat(one.records.all(NOTES, Records.Unreadable.FAIL))
                .extracting(record -> record.key().name())
                .containsExactly("young");
    }

    @Test
    void eventsAreBatchedBoundedAndInOrder() {
        Job job = one.submit();
        List<JobEvent> many = new ArrayList<>();
        for (int i = 0; i < 250; i++) {
            many.add(new JobEvent(START, "progress", "a", "worker", "a", 1, (long) i, "step"));
        }
        one.events.append(job.id(), many);
        JobEvents.History some = one.events.of(job.id());
        assertThat(some.cut()).isFalse();
        assertThat(some.events()).hasSize(251);
        assertThat(some.events().subList(1, 251)).containsExactlyElementsOf(many);
        for (int i = 0; i < 40; i++) {
            one.events.append(job.id(), many);
        }
        JobEvents.History all = one.events.of(job.id());
        assertThat(all.cut()).isTrue();
        assertThat(all.events()).hasSize(JobEvents.MOST);
    }

    @Test
    void aPatientJobIsTriedAgainWithoutEndAfterPausesOfTenMinutesAtMost() {
        JobSpec spec = TrialJob.spec(TrialJob.Act.WAIT, Path.of("any"), Duration.ZERO);
        Job job = one.registry.submit(
                new JobSpec(spec.kind(), spec.table(), spec.warehouse(), spec.spec(), Duration.ZERO, true));
        for (int attempt = 1; attempt <= 80; attempt++) {
            one.claims.fail(one.take("a"), new JobFailure("looking", "The store is away.", true));
            clock.advance(Duration.ofMinutes(10));
        }
        one.take("a");
        clock.advance(LEASE.plus(DIFFERENCE).plusMillis(1));
        JobClaim last = one.take("b");
        assertThat(last.job().attempts()).isEqualTo(82);
        one.claims.fail(last, new JobFailure("looking", "There is no such root.", false));
        assertThat(one.registry.require(job.id()).state()).isEqualTo(JobState.FAILED);
    }
}
