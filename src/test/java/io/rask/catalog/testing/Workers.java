package io.rask.catalog.testing;

import java.nio.file.Path;

/** The worker processes that the servers of this process have begun. */
public final class Workers {
    private Workers() {}

    /** Kills them in the midst of what they do; other servers that tests have started live on. */
    public static void kill() {
        ProcessHandle.current().children().filter(Workers::isJava).forEach(ProcessHandle::destroyForcibly);
    }

    private static boolean isJava(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> Path.of(command).getFileName().toString().equals("java"))
                .orElse(false);
    }
}
