package io.rask.catalog.access;

import io.rask.catalog.problem.CatalogException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * What was decided, for whom: one line of JSON for each decision, in the logger {@code audit}. It holds names and no secrets: neither
 * headers nor queries nor bodies.
 */
public final class AuditLog {
    private static final Logger LOG = LoggerFactory.getLogger("audit");
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Clock clock;
    private final boolean isOn;

    public AuditLog(Clock clock, boolean isOn) {
        this.clock = clock;
        this.isOn = isOn;
    }

    /** What a line says of the outcome. */
    private enum Verdict {
        ALLOW,
        DENY,
        FAILURE
    }

    void decided(Caller caller, Question question, boolean allowed) {
        if (isOn) {
            write(caller, question, allowed ? Verdict.ALLOW : Verdict.DENY, allowed ? "granted" : "not granted");
        }
    }

    /** @param gone whether nobody could be asked, because what it is about is gone */
    void replayed(Caller caller, Question question, boolean granted, boolean gone) {
        if (isOn) {
            String why = granted ? "replay" : gone ? "replay, its object is gone" : "replay, not granted";
            write(caller, question, granted || gone ? Verdict.ALLOW : Verdict.DENY, why);
        }
    }

    /** Records that whoever began a deletion goes on with it. */
    void resumed(Caller caller, Question question) {
        if (isOn) {
            write(caller, question, Verdict.ALLOW, "unfinished deletion");
        }
    }

    void failed(Caller caller, Question question, CatalogException failure) {
        if (isOn) {
            write(caller, question, Verdict.FAILURE, failure.text());
        }
    }

    void notListed(Caller caller, Relation relation, String what, CatalogException failure) {
        if (isOn) {
            Map<String, Object> line = line(caller, Verdict.FAILURE, failure.text());
            line.put("resource", what);
            line.put("relation", relation.wireName());
            LOG.info(JSON.writeValueAsString(line));
        }
    }

    void listed(Caller caller, Relation relation, String what, int looked, int shown) {
        if (isOn) {
            Map<String, Object> line = line(caller, Verdict.ALLOW, "listed");
            line.put("resource", what);
            line.put("relation", relation.wireName());
            line.put("looked_at", looked);
            line.put("shown", shown);
            LOG.info(JSON.writeValueAsString(line));
        }
    }

    /**
     * Records that something went with what the caller was allowed to take away.
     *
     * @param kind of what went, such as {@code table}
     * @param object its id
     */
    public void wentAlong(Caller caller, String kind, String object) {
        if (isOn) {
            Map<String, Object> line = line(caller, Verdict.ALLOW, "cascade");
            line.put("resource", kind + ":" + object);
            LOG.info(JSON.writeValueAsString(line));
        }
    }

    /**
     * Records that somebody was not let in, or could not be told who they are.
     *
     * @param outage whether that was our fault and not the caller's
     */
    public void notIdentified(String address, String door, String requestId, String why, boolean outage) {
        if (isOn) {
            Caller nobody = new Caller(Principal.ANONYMOUS, address, door, requestId);
            Map<String, Object> line = line(nobody, outage ? Verdict.FAILURE : Verdict.DENY, why);
            line.remove("who");
            LOG.info(JSON.writeValueAsString(line));
        }
    }

    private void write(Caller caller, Question question, Verdict verdict, String why) {
        Map<String, Object> line = line(caller, verdict, why);
        line.put(
                "resource",
                question.object().kind().type() + ":" + question.object().id());
        line.put("relation", question.relation().wireName());
        LOG.info(JSON.writeValueAsString(line));
    }

    private Map<String, Object> line(Caller caller, Verdict verdict, String why) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("at", clock.instant().toString());
        line.put("request_id", caller.requestId());
        line.put("who", caller.principal().subject());
        line.put("from", caller.address());
        line.put("what", caller.door());
        line.put("verdict", verdict.name());
        line.put("why", why);
        return line;
    }
}
