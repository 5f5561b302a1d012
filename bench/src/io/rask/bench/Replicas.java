package io.rask.bench;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/** Two servers over one root, each on a port of its own that it keeps over its lives. */
final class Replicas implements AutoCloseable {
    static final int COUNT = 2;
    private static final List<String> NAMES = List.of("A", "B");
    private static final Duration ORPHANED_WORKER = Duration.ofSeconds(30);
    /** For how long after a crash its consequences may be felt, such as leases of the dead. */
    private static final Duration AFTERMATH = Duration.ofSeconds(15);

    private final Servers servers;
    private final Place place;
    private final int[] ports;
    private final AtomicReferenceArray<ServerProcess> running = new AtomicReferenceArray<>(COUNT);
    private volatile boolean down;
    private volatile long lastCrash = System.nanoTime() - AFTERMATH.toNanos();

    Replicas(Servers servers, Place place) throws IOException {
        this.servers = servers;
        this.place = place;
        this.ports = new int[] {ServerProcess.freePort(), ServerProcess.freePort()};
        try {
            for (int i = 0; i < COUNT; i++) {
                start(i);
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    static String name(int replica) {
        return NAMES.get(replica);
    }

    String url(int replica) {
        return "http://127.0.0.1:" + ports[replica];
    }

    ServerProcess process(int replica) {
        return running.get(replica);
    }

    /** Whether a crash may be the reason for an answer to a call that began then, by {@link System#nanoTime}. */
    boolean crashExplains(long began) {
        return down || lastCrash + AFTERMATH.toNanos() - began > 0;
    }

    /** Kills a server and starts it again after a while; returns how many milliseconds it was away. */
    long crash(int replica, Duration away) throws IOException {
        long begin = System.nanoTime();
        List<ProcessHandle> workers = process(replica).children();
        down = true;
        process(replica).kill();
        LockSupport.parkNanos(away.toNanos());
        start(replica);
        crashed();
        down = false;
        awaitEnd(workers);
        return Duration.ofNanos(System.nanoTime() - begin).toMillis();
    }

    /** Kills a worker of any server; false when there is none. */
    boolean crashWorker() {
        for (int i = 0; i < COUNT; i++) {
            for (ProcessHandle worker : process(i).children()) {
                worker.destroyForcibly();
                crashed();
                return true;
            }
        }
        return false;
    }

    private void crashed() {
        lastCrash = System.nanoTime();
    }

    /** A worker must not outlive its server. */
    private static void awaitEnd(List<ProcessHandle> workers) {
        long end = System.nanoTime() + ORPHANED_WORKER.toNanos();
        for (ProcessHandle worker : workers) {
            while (worker.isAlive()) {
                if (System.nanoTime() > end) {
                    worker.destroyForcibly();
                    throw new IllegalStateException("A worker lives on without its server");
                }
                LockSupport.parkNanos(Duration.ofMillis(200).toNanos());
            }
        }
    }

    private void start(int replica) throws IOException {
        running.set(replica, servers.replica("replica-" + name(replica), place, ports[replica]));
    }

    @Override
    public void close() {
        for (int i = 0; i < COUNT; i++) {
            ServerProcess process = running.get(i);
            if (process != null) {
                process.close();
            }
        }
    }
}
