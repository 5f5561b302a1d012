package io.rask.bench;

import io.rask.bench.Ledger.Ending;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a soak found, as Markdown. */
final class SoakReport {
    private SoakReport() {}

    /**
     * What was run.
     *
     * @param commit which code
     * @param where what the root lies on
     * @param command how to run it again
     */
    record Run(String commit, long seed, double minutes, int clients, String where, String command) {}

    static List<String> lines(Run run, Ledger ledger, List<String> crashes, List<String> memory) {
        List<String> lines = new ArrayList<>();
        lines.add("# Mixed load with crashes");
        lines.add("");
        lines.add("Two servers as shipped over one root " + run.where() + ", and " + run.clients()
                + " clients that do by chance everything that is listed below, each call at either server. Every few tens of"
                + " seconds a server or a worker is killed with `kill -9` and started again. Every read is compared with a model, in which"
                + " a call without an answer leaves two possible states until the next read. Again with:");
        lines.add("");
        lines.add("```");
        lines.add(run.command());
        lines.add("```");
        lines.add("");
        lines.add("| | |");
        lines.add("|---|---|");
        lines.add("| date | " + Instant.now().truncatedTo(ChronoUnit.MINUTES) + " |");
        lines.add("| commit | " + run.commit() + " |");
        lines.add("| machine | " + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + Runtime.version().feature() + " |");
        lines.add("| seed | " + run.seed() + " |");
        lines.add(String.format(Locale.ROOT, "| load | %.1f minutes |", run.minutes()));
        lines.add("| options of each server's JVM | `" + Servers.SMALL_HEAP + "` |");
        lines.add("| each of a server's two native caches | at most " + Servers.SMALL_CACHE + " |");
        lines.add("| calls acknowledged, refused, unknown | " + ledger.calls(Ending.ACKNOWLEDGED) + ", "
                + ledger.calls(Ending.REFUSED) + ", " + ledger.calls(Ending.UNKNOWN) + " |");
        lines.add("| crashes | " + crashes.size() + " |");
        lines.add("| **differences and unexplained answers** | **"
                + ledger.failures().size() + "** |");
        ledger.failures().stream()
                .limit(20)
                .forEach(failure -> lines.add("| failure | " + failure.replace('|', '/') + " |"));
        operations(lines, ledger);
        memory(lines, memory);
        section(lines, "What else was counted", ledger.notes());
        section(lines, "Answers with 503 and 504, all within a crash and 15 seconds after it", ledger.unavailable());
        lines.add("");
        lines.add("## Crashes");
        lines.add("");
        lines.add("Times are UTC. " + String.join("; ", crashes) + ".");
        return lines;
    }

    private static void operations(List<String> lines, Ledger ledger) {
        lines.add("");
        lines.add("## Calls");
        lines.add("");
        lines.add(
                "A refusal is what the model expects, such as code 5 for a name that is taken, or code 14 or 21 where others were in"
                        + " the way.");
        lines.add("");
        lines.add("| call | acknowledged | refused | unknown |");
        lines.add("|---|---|---|---|");
        for (String kind : ledger.kinds()) {
            lines.add("| " + kind + " | " + ledger.calls(kind, Ending.ACKNOWLEDGED) + " | "
                    + ledger.calls(kind, Ending.REFUSED) + " | " + ledger.calls(kind, Ending.UNKNOWN) + " |");
        }
    }

    private static void memory(List<String> lines, List<String> memory) {
        lines.add("");
        lines.add("## Memory");
        lines.add("");
        lines.add(
                "Resident memory of each life of a server, looked at every ten seconds, without the first two minutes or the first third"
                        + " of a life shorter than six. The heap is taken whole at the start, so what grows is beside it, and the"
                        + " native caches are small, so that they are full soon. Server B is killed only"
                        + " once.");
        lines.add("");
        lines.addAll(memory);
    }

    private static void section(List<String> lines, String title, Map<String, Long> counts) {
        if (!counts.isEmpty()) {
            lines.add("");
            lines.add("## " + title);
            lines.add("");
            lines.add("| what | times |");
            lines.add("|---|---|");
            counts.forEach((text, count) -> lines.add("| " + text.replace('|', '/') + " | " + count + " |"));
        }
    }
}
