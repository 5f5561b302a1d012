package io.rask.catalog.testing;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The record of decisions as it is written while a test listens. */
public final class AuditLines implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("audit");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    private AuditLines() {
        lines.start();
        logger.addAppender(lines);
    }

    public static AuditLines listen() {
        return new AuditLines();
    }

    /** What was written since then. */
    public List<JsonNode> told() {
        return List.copyOf(lines.list).stream()
                .map(event -> JsonMapper.shared().readTree(event.getFormattedMessage()))
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        lines.stop();
    }
}
