package io.rask.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at the memory, descriptors and threads of the servers every ten seconds, for each life of a server apart. */
final class Memory implements Runnable {
    private static final int EVERY_SECONDS = 10;
    private static final Duration WARM_UP = Duration.ofMinutes(2);
    private static final int FEWEST_SAMPLES = 3;

    private final Replicas replicas;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Life> lives = new ArrayList<>();

    private record Sample(double seconds, long resident, long descriptors, long threads) {}

    /** One process of a server, from its start to its end. */
    private record Life(int replica, ServerProcess process, long begin, List<Sample> samples) {}

    Memory(Replicas replicas) {
        this.replicas = replicas;
    }

    void stop() {
        stop.countDown();
    }

    @Override
    public void run() {
        try {
            do {
                for (int replica = 0; replica < Replicas.COUNT; replica++) {
                    look(replica);
                }
            } while (!stop.await(EVERY_SECONDS, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void look(int replica) {
        ServerProcess process = replicas.process(replica);
        Life life = lives.stream()
                .filter(known -> known.process() == process)
                .findFirst()
                .orElseGet(() -> {
                    Life fresh = new Life(replica, process, System.nanoTime(), new ArrayList<>());
                    lives.add(fresh);
                    return fresh;
                });
        try {
            long resident = process.resident();
            double seconds = (System.nanoTime() - life.begin()) / 1e9;
            life.samples().add(new Sample(seconds, resident, process.descriptors(), process.threads()));
        } catch (IOException | UncheckedIOException e) {
            // It was killed; its next life is seen at the next look.
            return;
        }
    }

    /** A table of the lives that lasted long enough to say something. */
    synchronized List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(
                "| server | life | samples | MiB after warm-up | MiB in the middle | MiB at the end | MiB/hour | descriptors | threads |");
        lines.add("|---|---|---|---|---|---|---|---|---|");
        for (Life life : lives) {
            List<Sample> warm = warm(life.samples());
            if (warm.size() >= FEWEST_SAMPLES) {
                lines.add(line(life, warm));
            }
        }
        return lines;
    }

    /** Without the first two minutes, or without the first third of a life shorter than six. */
    private static List<Sample> warm(List<Sample> samples) {
        double end = samples.isEmpty() ? 0 : samples.getLast().seconds();
        double from = Math.min(WARM_UP.toSeconds(), end / 3);
        return samples.stream().filter(sample -> sample.seconds() >= from).toList();
    }

    private static String line(Life life, List<Sample> warm) {
        Sample first = warm.getFirst();
        Sample last = warm.getLast();
        return String.format(
                Locale.ROOT,
                "| %s | %.0f s | %d | %d | %d | %d | %+.0f | %d → %d | %d → %d |",
                Replicas.name(life.replica()),
                last.seconds(),
                warm.size(),
                first.resident(),
                warm.get(warm.size() / 2).resident(),
                last.resident(),
                growth(warm),
                first.descriptors(),
                last.descriptors(),
                first.threads(),
                last.threads());
    }

    /** The slope of the line with the least squares, in MiB per hour. */
    private static double growth(List<Sample> samples) {
        double meanTime =
                samples.stream().mapToDouble(Sample::seconds).average().orElse(0);
        double meanSize =
                samples.stream().mapToDouble(Sample::resident).average().orElse(0);
        double above = 0;
        double below = 0;
        for (Sample sample : samples) {
            above += (sample.seconds() - meanTime) * (sample.resident() - meanSize);
            below += (sample.seconds() - meanTime) * (sample.seconds() - meanTime);
        }
        return below == 0 ? 0 : above / below * 3600;
    }
}
