package io.rask.catalog.transaction;

import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import java.util.Optional;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Brings a batch to its end whose server has died, when no request does it before. */
@Component
public final class SettleBatch extends JobKind<SettleBatch.Spec> {
    static final String NAME = "settle_batch";

    private final BatchJournals journals;
    private final OpenBatches batches;

    SettleBatch(BatchJournals journals, OpenBatches batches) {
        super(NAME, Spec.class);
        this.journals = journals;
        this.batches = batches;
    }

    /** The id of the batch. */
    public record Spec(String batch) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        run.phase("bringing changes of several tables to their end");
        Optional<Batch> left = journals.find(spec.batch());
        run.beforeCommit(JsonNodeFactory.instance.objectNode().put("batch", spec.batch()));
        left.ifPresent(batches::settle);
        return JsonNodeFactory.instance.objectNode().put("settled", left.isPresent());
    }
}
