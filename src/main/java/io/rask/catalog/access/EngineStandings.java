package io.rask.catalog.access;

import io.rask.catalog.hierarchy.Project;
import io.rask.catalog.hierarchy.ProjectRegistry;
import java.util.ArrayList;
import java.util.List;

/** Asks the engine for everything that a caller could be. */
final class EngineStandings implements Standings {
    private final PermissionEngine engine;
    private final ProjectRegistry projects;

    EngineStandings(PermissionEngine engine, ProjectRegistry projects) {
        this.engine = engine;
        this.projects = projects;
    }

    @Override
    public Standing of(Principal caller) {
        List<String> known = projects.all().stream().map(Project::id).sorted().toList();
        List<Question> questions = new ArrayList<>();
        questions.add(new Question(caller, Relation.CAN_ADMINISTER, AccessObject.ESTATE));
        for (String project : known) {
            questions.add(new Question(caller, Relation.CAN_ADMINISTER, AccessObject.project(project)));
            questions.add(new Question(caller, Relation.CAN_READ_DATA, AccessObject.project(project)));
        }
        List<Boolean> verdicts = engine.check(questions);
        List<ProjectRole> roles = new ArrayList<>();
        for (int at = 0; at < known.size(); at++) {
            boolean admin = verdicts.get(1 + 2 * at);
            if (admin || verdicts.get(2 + 2 * at)) {
                roles.add(new ProjectRole(known.get(at), admin ? "admin" : "member"));
            }
        }
        return new Standing(verdicts.getFirst(), roles);
    }
}
