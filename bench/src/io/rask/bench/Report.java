package io.rask.bench;

import io.rask.bench.Comparison.Figures;
import io.rask.bench.Comparison.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The lines of the report, printed as they come and kept for its end. */
final class Report {
    private final List<String> lines = new ArrayList<>();

    void title(String text) {
        line("");
        line("### " + text);
        line("");
    }

    void rates(String secondSide) {
        line("| case | ours/s | " + secondSide + "/s | ratio | ours p50 / p99 ms | " + secondSide + " p50 / p99 ms |");
        line("|---|---|---|---|---|---|");
    }

    void rate(String name, Outcome outcome) {
        line("| %s | %s | %s | **%.2f** | %s | %s |"
                .formatted(
                        name,
                        spread(outcome.first()),
                        spread(outcome.second()),
                        outcome.ratio(),
                        times(outcome.first()),
                        times(outcome.second())));
    }

    void line(String text) {
        lines.add(text);
        System.out.println(text);
        System.out.flush();
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    private static String spread(Figures figures) {
        return String.format(Locale.ROOT, "%,.0f (%,.0f–%,.0f)", figures.rate(), figures.lowest(), figures.highest());
    }

    private static String times(Figures figures) {
        return String.format(Locale.ROOT, "%.2f / %.2f", figures.p50(), figures.p99());
    }
}
