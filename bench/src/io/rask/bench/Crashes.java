package io.rask.bench;

import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Kills a process every few tens of seconds. The second server is killed once only, after a quarter of the time, so that one of its
 * lives is long enough to see whether its memory stays.
 */
final class Crashes implements Runnable {
    private static final int SHORTEST_PAUSE = 10;
    private static final int LONGEST_PAUSE = 30;

    private final Replicas replicas;
    private final Ledger ledger;
    private final Random random;
    private final long secondAt;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<String> done = new CopyOnWriteArrayList<>();
    private boolean secondDone;
    private int turn;

    Crashes(Replicas replicas, Ledger ledger, Random random, Duration time) {
        this.replicas = replicas;
        this.ledger = ledger;
        this.random = random;
        this.secondAt = System.nanoTime() + time.toNanos() / 4;
    }

    /** What was killed and when, in UTC. */
    List<String> done() {
        return done;
    }

    /** Ends the crashes; one that has begun is finished by {@link #run}. */
    void stop() {
        stop.countDown();
    }

    @Override
    public void run() {
        try {
            while (!stop.await(random.nextInt(SHORTEST_PAUSE, LONGEST_PAUSE), TimeUnit.SECONDS)) {
                crash();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            ledger.failure("after a crash: " + e);
        }
    }

    private void crash() throws IOException {
        String time =
                LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).toString();
        if (!secondDone && System.nanoTime() > secondAt) {
            secondDone = true;
            server(1, time);
        } else if (turn++ % 2 == 0 || !replicas.crashWorker()) {
            server(0, time);
        } else {
            tell(time + " a worker");
        }
    }

    private void server(int replica, String time) throws IOException {
        long away = replicas.crash(replica, Duration.ofMillis(random.nextInt(3000)));
        tell(time + " server " + Replicas.name(replica) + ", back after " + away / 100 / 10.0 + " s");
    }

    private void tell(String text) {
        System.out.println("killed: " + text);
        done.add(text);
    }
}
