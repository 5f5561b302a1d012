package io.rask.catalog.view;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.job.TableCommits;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lifecycle.Drops;
import java.util.List;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Drops a view. One that is gone already is dropped. */
@Component
public final class DropView extends JobKind<DropView.Spec> {
    static final String NAME = "drop_materialized_view";

    private final Locator locator;
    private final Drops drops;
    private final TableCommits commits;

    DropView(Locator locator, Drops drops, TableCommits commits) {
        super(NAME, Spec.class);
        this.locator = locator;
        this.drops = drops;
        this.commits = commits;
    }

    /**
     * Which view.
     *
     * @param view the segments of its id
     * @param location where its table lived when the drop was asked for: another may get its id
     * @param force lifts the protection and nothing else
     */
    public record Spec(List<String> view, String location, boolean force) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        ObjectId id = new ObjectId(spec.view());
        ObjectNode intent = JsonNodeFactory.instance.objectNode().put("location", spec.location());
        run.phase("dropping the view");
        commits.before(run, id.stored(), intent);
        boolean dropped = locator.locate(id)
                .map(home -> !drops.drop(home, view -> meant(view, id, spec), spec.force(), () -> {})
                        .isEmpty())
                .orElse(false);
        return JsonNodeFactory.instance.objectNode().put("dropped", dropped);
    }

    private static List<ManifestEntry> meant(ManifestView view, ObjectId id, Spec spec) {
        return view.table(id.stored()).filter(entry -> spec.location().equals(entry.location())).stream()
                .toList();
    }
}
