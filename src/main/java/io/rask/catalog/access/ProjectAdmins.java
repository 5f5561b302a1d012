package io.rask.catalog.access;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Tells who administers a project. A project is told without them rather than late. */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "true")
public final class ProjectAdmins {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectAdmins.class);
    private static final int SECONDS = 2;
    private static final Duration BUDGET = Duration.ofSeconds(SECONDS);

    private final PermissionEngine engine;

    ProjectAdmins(PermissionEngine engine) {
        this.engine = engine;
    }

    /**
     * The administrators, as grants spell them, in order.
     *
     * @return empty for a caller who is not in the project, and where the engine has not answered in {@value #SECONDS} seconds
     */
    public List<String> of(Principal caller, String project) {
        FutureTask<List<String>> asked = new FutureTask<>(() -> told(caller, AccessObject.project(project)));
        Thread.startVirtualThread(asked);
        try {
            return asked.get(BUDGET.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            asked.cancel(true);
            LOG.debug("The administrators of {} are not told.", project, e);
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private List<String> told(Principal caller, AccessObject project) {
        boolean isIn = engine.check(List.of(
                        new Question(caller, Relation.CAN_READ_DATA, project),
                        new Question(caller, Relation.CAN_READ_ASSIGNMENTS, project)))
                .contains(true);
        return isIn
                ? engine.all(null, Rung.ADMIN.wireName(), ObjectNames.of(project)).stream()
                        .map(fact -> Grantee.told(fact.user()))
                        .sorted()
                        .toList()
                : List.of();
    }
}
