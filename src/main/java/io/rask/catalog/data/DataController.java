package io.rask.catalog.data;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.ArrowBody;
import io.rask.catalog.door.ArrowResponse;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.wire.CountRequest;
import io.rask.catalog.wire.DeleteRequest;
import io.rask.catalog.wire.DeleteResponse;
import io.rask.catalog.wire.ExplainRequest;
import io.rask.catalog.wire.InsertQuery;
import io.rask.catalog.wire.InsertResponse;
import io.rask.catalog.wire.MergeQuery;
import io.rask.catalog.wire.MergeResponse;
import io.rask.catalog.wire.QueryRequest;
import io.rask.catalog.wire.StatsRequest;
import io.rask.catalog.wire.StatsResponse;
import io.rask.catalog.wire.UpdateRequest;
import io.rask.catalog.wire.UpdateResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The doors through which rows come and go. */
@RestController
class DataController {
    private final Rows rows;
    private final Merges merges;
    private final Queries queries;
    private final Statistics statistics;
    private final JsonMapper json;

    DataController(Rows rows, Merges merges, Queries queries, Statistics statistics, JsonMapper json) {
        this.rows = rows;
        this.merges = merges;
        this.queries = queries;
        this.statistics = statistics;
        this.json = json;
    }

    @PostMapping("/v1/table/{id}/insert")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    InsertResponse insert(ObjectId id, @Query InsertQuery query, ArrowBody body) {
        return rows.insert(id, query, body.stream());
    }

    @PostMapping("/v1/table/{id}/merge_insert")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    MergeResponse merge(ObjectId id, @Query MergeQuery query, ArrowBody body) {
        return merges.merge(id, query, body.stream());
    }

    /** Clients of the namespace library ask by GET, all others by POST. */
    @RequestMapping(
            path = "/v1/table/{id}/count_rows",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE, onBranch = true)
    ResponseEntity<String> count(ObjectId id, @Body CountRequest body, RequestContext context) {
        AtomicLong version = new AtomicLong();
        long rows = queries.count(id, body, context.branch(body.branch()), version::set);
        return Scalars.number(rows, version.get(), context);
    }

    @PostMapping("/v1/table/{id}/query")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE, onBranch = true)
    void query(ObjectId id, @Body QueryRequest body, ArrowResponse response, RequestContext context)
            throws IOException {
        queries.run(id, body, context.branch(body.branch()), response);
    }

    @PostMapping("/v1/table/{id}/explain_plan")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE, onBranch = true)
    ResponseEntity<String> explain(ObjectId id, @Body ExplainRequest body, RequestContext context) {
        return Scalars.text(queries.explain(id, body, context), context, json);
    }

    @PostMapping("/v1/table/{id}/analyze_plan")
    @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE, onBranch = true)
    ResponseEntity<String> analyze(ObjectId id, @Body QueryRequest body, RequestContext context) {
        return Scalars.text(queries.analyze(id, body, context.branch(body.branch())), context, json);
    }

    @RequestMapping(
            path = "/v1/table/{id}/stats",
            method = {RequestMethod.GET, RequestMethod.POST})
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE, onBranch = true)
    StatsResponse stats(ObjectId id, @Body StatsRequest body, RequestContext context) {
        return statistics.of(id, context.branch(body.branch()));
    }

    @PostMapping("/v1/table/{id}/update")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    UpdateResponse update(ObjectId id, @Body UpdateRequest body, RequestContext context) {
        return rows.update(id, body, context.branch(body.branch()));
    }

    @PostMapping("/v1/table/{id}/delete")
    @Door(relation = Relation.CAN_WRITE_DATA, target = Target.TABLE, onBranch = true)
    DeleteResponse delete(ObjectId id, @Body DeleteRequest body, RequestContext context) {
        return rows.delete(id, body, context.branch(body.branch()));
    }
}
