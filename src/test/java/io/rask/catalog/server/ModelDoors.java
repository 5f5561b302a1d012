package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.HeaderIdentification;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.RunningServer.Answer;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The servers as a {@link ModelClient} asks them: one at random, as a user, and the answer must be the expected one. */
final class ModelDoors {
    static final int OK = 0;
    static final int NO_NAMESPACE = 1;
    static final int NOT_EMPTY = 3;
    static final int NO_TABLE = 4;
    static final int TAKEN = 5;
    static final int BAD = 13;
    static final int MEANWHILE = 14;
    static final int DENIED = 15;
    static final int PROTECTED = 19;

    private final Random random;
    private final List<Map<String, RunningServer>> servers;
    private final Map<String, Integer> answered;

    /**
     * @param servers each as each user sees it
     * @param answered is told how often each door answered what
     */
    ModelDoors(Random random, List<Map<String, RunningServer>> servers, Map<String, Integer> answered) {
        this.random = random;
        this.servers = servers;
        this.answered = answered;
    }

    /** A server, asked by each of the users. */
    static Map<String, RunningServer> asEverybody(RunningServer server) {
        return ModelHierarchy.USERS.stream().collect(Collectors.toMap(Function.identity(), user -> {
            RunningServer his = server.asking(HeaderIdentification.USER, user);
            return user.equals(ModelHierarchy.TEAMMATE)
                    ? his.asking(HeaderIdentification.TEAMS, ModelHierarchy.TEAM)
                    : his;
        }));
    }

    <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    /** Often somebody who may do everything: where all is denied, nothing happens. */
    String anybody() {
        return random.nextInt(3) == 0 ? ModelHierarchy.ADMINISTRATOR : any(ModelHierarchy.USERS);
    }

    RunningServer as(String user) {
        return any(servers).get(user);
    }

    /** The answer, once others do not hinder it any more, must have one of these codes. */
    Answer expect(Object about, Request request, Integer... codes) {
        Answer answer = request.send();
        for (int again = 0; again < 50 && answer.code() == MEANWHILE; again++) {
            answer = request.send();
        }
        String path = answer.response().uri().getPath();
        answered.merge(path.substring(path.lastIndexOf('/') + 1) + " " + Math.max(answer.code(), OK), 1, Integer::sum);
        assertThat(Math.max(answer.code(), OK))
                .as(answer.response().uri() + " with " + about + ": " + answer.text())
                .isIn((Object[]) codes);
        return answer;
    }

    interface Request {
        Answer send();
    }

    static boolean done(Answer answer) {
        return answer.status() == 200;
    }

    void giveOrTake(String user, String path, Set<String> grants, Integer[] codes) {
        boolean gives = random.nextInt(3) > 0;
        String principal = random.nextInt(5) == 0
                ? "team:" + ModelHierarchy.TEAM
                : "user:" + any(ModelHierarchy.USERS.subList(1, 7));
        String rung = any(ModelHierarchy.RUNGS);
        RunningServer server = as(user);
        Answer answer = expect(
                user + " at " + path + " " + grants,
                () -> server.post(
                        path + "/access/" + (gives ? "grant" : "revoke"),
                        "{\"principal\":\"" + principal + "\",\"rung\":\"" + rung + "\"}"),
                codes);
        if (done(answer)) {
            String grant = ModelHierarchy.fact(principal) + " " + rung;
            if (gives) {
                grants.add(grant);
            } else {
                grants.remove(grant);
            }
        }
    }
}
