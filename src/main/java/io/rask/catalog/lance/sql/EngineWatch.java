package io.rask.catalog.lance.sql;

import io.rask.catalog.problem.CatalogException;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stops the engine when its time is over, or when whoever it works for may not go on. */
final class EngineWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EngineWatch.class);
    private static final long LOOK_MILLIS = 200;

    private final Statement statement;
    private final Runnable checkpoint;
    private final Duration most;
    private final EngineErrors errors;
    private final long since = System.nanoTime();
    private final Thread thread;

    private EngineWatch(Statement statement, Runnable checkpoint, Duration most, EngineErrors errors) {
        this.statement = statement;
        this.checkpoint = checkpoint;
        this.most = most;
        this.errors = errors;
        this.thread = Thread.ofPlatform().daemon().name("engine-watch").unstarted(this::look);
    }

    static EngineWatch over(Statement statement, Runnable checkpoint, Duration most, EngineErrors errors) {
        EngineWatch watch = new EngineWatch(statement, checkpoint, most, errors);
        watch.thread.start();
        return watch;
    }

    private void look() {
        try {
            while (true) {
                if (System.nanoTime() - since > most.toNanos()) {
                    errors.ended(CatalogException.invalid(
                            "The query takes longer than a view may (lance.jobs.view-timeout, " + most + ")."));
                    stop();
                }
                try {
                    checkpoint.run();
                } catch (Throwable e) {
                    // Errors too: without this watch nothing ends the query.
                    log.debug("The work that the engine does may not go on.", e);
                    errors.ended(CatalogException.unavailable("The work was stopped.", e));
                    stop();
                }
                Thread.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            log.trace("The engine is done.");
        }
    }

    /** Again and again until the engine is closed: it hears it only while it works. */
    private void stop() {
        try {
            statement.cancel();
        } catch (SQLException e) {
            log.debug("The engine could not be stopped.", e);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
