package io.rask.catalog.record;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks on files that hold among the threads of this process and among processes. A file's lock is one of sixteen lock files
 * beside it. Two levels are needed because a lock of the operating system belongs to the process, not to the thread.
 */
final class FileLocks {
    private static final int STRIPES = 16;
    private static final ReentrantLock[] THREADS = new ReentrantLock[256];

    static {
        for (int i = 0; i < THREADS.length; i++) {
            THREADS[i] = new ReentrantLock();
        }
    }

    private FileLocks() {}

    /** A lock that is held until it is closed. */
    interface Held extends AutoCloseable {
        @Override
        void close() throws IOException;
    }

    /** Waits for the lock of a file, whose folder must exist. */
    static Held lock(Path file) throws IOException {
        // The real path: two names of one folder must meet in one thread lock. Each lock file is open at most once in
        // this
        // process, because closing any channel of a file drops every POSIX lock the process has on it.
        Path folder = file.resolveSibling(".").toRealPath();
        Path lockFile = folder.resolve(
                ".lock-" + Math.floorMod(String.valueOf(file.getFileName()).hashCode(), STRIPES));
        ReentrantLock thread = THREADS[Math.floorMod(lockFile.hashCode(), THREADS.length)];
        thread.lock();
        try {
            return lockFile(lockFile, thread);
        } catch (IOException | RuntimeException e) {
            thread.unlock();
            throw e;
        }
    }

    @SuppressWarnings("resource") // the channel and its lock live as long as the caller holds the lock
    private static Held lockFile(Path lockFile, ReentrantLock thread) throws IOException {
        FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.lock();
            return () -> {
                try (channel) {
                    lock.release();
                } finally {
                    thread.unlock();
                }
            };
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
