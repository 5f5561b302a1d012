package io.rask.catalog.job;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.FileSystemUtils;

/**
 * Folders for the temporary files of workers, each named after the process that owns it. A worker that dies leaves files behind, the
 * unpacked native library of 181 MB among them; its folder goes when its owner notices, or when the next one finds the owner gone.
 */
public final class WorkerFolders {
    private static final Logger log = LoggerFactory.getLogger(WorkerFolders.class);
    private static final Pattern NAME = Pattern.compile("catalog-worker-(?<pid>\\d+)-(?<start>\\d+)-.*");

    private WorkerFolders() {}

    /** Makes a folder owned by this process, and removes those of processes that are gone. */
    public static Path make() throws IOException {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        removeAbandoned(parent);
        ProcessHandle self = ProcessHandle.current();
        return Files.createTempDirectory(parent, "catalog-worker-" + self.pid() + "-" + start(self) + "-");
    }

    public static void remove(Path folder) {
        try {
            FileSystemUtils.deleteRecursively(folder);
        } catch (IOException e) {
            log.warn("{} could not be removed; the next start tries again.", folder, e);
        }
    }

    private static void removeAbandoned(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, "catalog-worker-*")) {
            for (Path folder : folders) {
                Matcher name = NAME.matcher(String.valueOf(folder.getFileName()));
                if (name.matches() && !isAlive(name)) {
                    remove(folder);
                }
            }
        }
    }

    /** A process id may be another's by now; it began at another moment then. */
    private static boolean isAlive(Matcher name) {
        Optional<ProcessHandle> owner = ProcessHandle.of(Long.parseLong(name.group("pid")));
        return owner.filter(ProcessHandle::isAlive)
                .filter(process -> start(process).equals(name.group("start")))
                .isPresent();
    }

    private static String start(ProcessHandle process) {
        return process.info()
                .startInstant()
                .map(Instant::toEpochMilli)
                .map(String::valueOf)
                .orElse("0");
    }
}
