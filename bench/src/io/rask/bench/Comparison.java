package io.rask.bench;

import io.rask.bench.Load.Sample;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Two sides that do the same work in turns, so that what else the machine does falls on both. */
final class Comparison {
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    private final int rounds;
    private final Duration length;

    Comparison(int rounds, Duration length) {
        this.rounds = rounds;
        this.length = length;
    }

    /** One side: its name and its work. */
    record Side(String name, Load.Work work) {}

    /** What both sides gave, the median of their rounds. */
    record Outcome(Figures first, Figures second) {
        double ratio() {
            return first.rate() / second.rate();
        }
    }

    /** The median rate of the rounds with its extremes, and times of single pieces over all rounds. */
    record Figures(double rate, double lowest, double highest, double p50, double p99) {}

    /** The first round of each side warms up, as long as it takes to compile its code, and does not count. */
    Outcome of(int threads, Side first, Side second) throws IOException {
        List<Sample> ours = new ArrayList<>();
        List<Sample> theirs = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            Duration time = round == 0 && length.compareTo(WARM_UP) < 0 ? WARM_UP : length;
            Sample one = Load.run(threads, time, first.work());
            Sample other = Load.run(threads, time, second.work());
            if (round > 0) {
                ours.add(one);
                theirs.add(other);
            }
        }
        return new Outcome(figures(ours), figures(theirs));
    }

    private static Figures figures(List<Sample> samples) {
        double[] rates = samples.stream().mapToDouble(Sample::rate).sorted().toArray();
        long[] nanos = samples.stream()
                .flatMapToLong(sample -> LongStream.of(sample.nanos()))
                .sorted()
                .toArray();
        Sample all = new Sample(0, nanos);
        return new Figures(
                rates[rates.length / 2], rates[0], rates[rates.length - 1], all.millis(0.5), all.millis(0.99));
    }
}
