package io.rask.catalog.conformance;

import io.rask.catalog.conformance.LiveRun.Outcome;
import io.rask.catalog.problem.ErrorCode;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code lance_docs/COVERAGE.md} as a live run tells it. */
final class CoverageDocument {
    private CoverageDocument() {}

    static String of(LiveRun run, String specification) {
        Map<String, Outcome> outcomes = run.outcomes();
        long works = outcomes.values().stream().filter(Outcome::works).count();
        return head(specification, works, outcomes.size())
                + outcomes.values().stream().map(CoverageDocument::row).collect(Collectors.joining());
    }

    private static String head(String specification, long works, int operations) {
        return """
            # Coverage

            Generated from a live run by `CoverageTest`, which fails where this page is not what it sees; to write it anew:
            `./mvnw test -Dtest=CoverageTest -Dcoverage.write=true`. The operations are those of the Lance Namespace specification
            %s, their facts are in `operations.json`. An operation works when a request that should succeed did, with exactly the
            status of the specification. Every code that is listed was answered by the operation in this run, each to a request with
            that cause. What is asked of the permission engine is the promise of the register, to which `DeclaredRightsTest` holds the
            doors.

            **%d of %d operations work.**

            | operation | method and path | asks | outcome | codes |
            |---|---|---|---|---|
            """.formatted(specification, works, operations);
    }

    private static String row(Outcome outcome) {
        String codes = outcome.refusals().values().stream()
                .map(answer -> ErrorCode.ofNumber(answer.code()))
                .distinct()
                .map(code -> code.number() + " " + code.title())
                .collect(Collectors.joining(", "));
        return "| " + outcome.operation().name() + " | " + outcome.operation().method() + " `"
                + outcome.operation().path() + "` | " + outcome.operation().asks() + " | " + told(outcome) + " | "
                + codes + " |\n";
    }

    private static String told(Outcome outcome) {
        int status = outcome.answer().status();
        return outcome.works()
                ? "works: " + status
                : "refused: " + status + " with code " + outcome.answer().code();
    }
}
