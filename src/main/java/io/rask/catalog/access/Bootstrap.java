package io.rask.catalog.access;

import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Makes the first administrator, once: a record on the control root says that it was done, so that one who was removed later does not
 * come back with the next start.
 */
final class Bootstrap {
    private static final Logger LOG = LoggerFactory.getLogger(Bootstrap.class);
    private static final RecordKey DONE = RecordKey.of("_access", "bootstrap");

    private final PermissionEngine engine;
    private final Records records;
    private final @Nullable String administrator;

    Bootstrap(PermissionEngine engine, Records records, @Nullable String administrator) {
        this.engine = engine;
        this.records = records;
        this.administrator = administrator;
    }

    /** A repeat after a crash ends what was begun; of several servers that start at the same time all may do it. */
    void begin() {
        if (administrator == null
                || administrator.isEmpty()
                || records.read(DONE).isPresent()) {
            return;
        }
        String user = ObjectNames.user(administrator);
        engine.write(List.of(new Tuple(user, "admin", ObjectNames.of(AccessObject.ESTATE))), List.of());
        records.create(DONE, JsonNodeFactory.instance.objectNode().put("administrator", administrator));
        LOG.info("{} administers this installation from now on.", administrator);
    }
}
