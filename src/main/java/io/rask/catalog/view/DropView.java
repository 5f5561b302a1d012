package io.rask.catalog.view;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lifecycle.Departures;
import io.rask.catalog.lifecycle.DropWish;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Drops a view. One that is gone already is dropped. */
@Component
public final class DropView implements JobKind<DropView.Spec> {
    static final String NAME = "drop_materialized_view";

    private final Locator locator;
    private final Departures departures;

    DropView(Locator locator, Departures departures) {
        this.locator = locator;
        this.departures = departures;
    }

    /**
     * Which view.
     *
     * @param view the segments of its id
     * @param location where its table lived when the drop was asked for: another may get its id
     * @param force lifts the protection and nothing else
     * @param purge whether it goes for good; absent in older records
     * @param by who asked for it; absent in older records
     */
    public record Spec(
            List<String> view,
            String location,
            boolean force,
            @Nullable Boolean purge,
            @Nullable String by) {
        DropWish wish() {
            return new DropWish(force, Boolean.TRUE.equals(purge), Objects.requireNonNullElse(by, ""));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Spec> specType() {
        return Spec.class;
    }

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        ObjectId id = new ObjectId(spec.view());
        ObjectNode intent = JsonNodeFactory.instance.objectNode().put("location", spec.location());
        run.phase("dropping the view");
        run.beforeCommit(intent);
        boolean dropped = locator.locate(id)
                .map(home -> !departures
                        .drop(home, view -> meant(view, id, spec), spec.wish(), () -> {})
                        .isEmpty())
                .orElse(false);
        return JsonNodeFactory.instance.objectNode().put("dropped", dropped);
    }

    private static List<ManifestEntry> meant(ManifestView view, ObjectId id, Spec spec) {
        return view.table(id.stored()).filter(entry -> spec.location().equals(entry.location())).stream()
                .toList();
    }
}
