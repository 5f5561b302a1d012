package io.rask.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Repeats one piece of work on several connections for a while. */
final class Load {
    private Load() {}

    /** One piece of work. */
    interface Work {
        /** @param thread which connection works @param turn how many pieces it did before */
        void once(int thread, int turn) throws IOException;
    }

    /** What a run gave: pieces of work in a second, and how long each took, sorted, in nanoseconds. */
    record Sample(double rate, long[] nanos) {
        double millis(double quantile) {
            return nanos.length == 0 ? 0 : nanos[(int) Math.min(nanos.length - 1, nanos.length * quantile)] / 1e6;
        }
    }

    static Sample run(int threads, Duration time, Work work) throws IOException {
        long begin = System.nanoTime();
        long end = begin + time.toNanos();
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            var runs = IntStream.range(0, threads)
                    .mapToObj(thread -> pool.submit(() -> repeat(thread, end, work)))
                    .toList();
            LongStream all = LongStream.empty();
            for (Future<long[]> run : runs) {
                all = LongStream.concat(all, Arrays.stream(run.get()));
            }
            long[] nanos = all.sorted().toArray();
            return new Sample(nanos.length / ((System.nanoTime() - begin) / 1e9), nanos);
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static long[] repeat(int thread, long end, Work work) throws IOException {
        LongStream.Builder nanos = LongStream.builder();
        for (int turn = 0; System.nanoTime() < end; turn++) {
            long start = System.nanoTime();
            work.once(thread, turn);
            nanos.add(System.nanoTime() - start);
        }
        return nanos.build().toArray();
    }
}
