package io.rask.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.RunningServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** What doors ask for is what the register promises, which is written by hand: a door that asks for too little is found here. */
@ExtendWith(ConformanceCatalog.Provider.class)
class DeclaredRightsTest {
    private final RunningServer server;

    DeclaredRightsTest(ConformanceCatalog catalog) {
        this.server = catalog.server();
    }

    @Test
    void everyDoorAsksForWhatTheRegisterPromises() {
        Map<String, String> declared = new TreeMap<>();
        server.bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .forEach((route, handler) -> {
                    Door door = handler.getMethodAnnotation(Door.class);
                    if (door != null) {
                        route.getPatternValues()
                                .forEach(pattern -> route.getMethodsCondition()
                                        .getMethods()
                                        .forEach(method -> declared.put(method.name() + " " + pattern, asks(door))));
                    }
                });
        Map<String, String> promised = Stream.concat(Register.operations().stream(), Register.extensions().stream())
                .collect(Collectors.toMap(
                        operation -> operation.method() + " " + operation.path(),
                        Register.Operation::asks,
                        (one, other) -> one,
                        TreeMap::new));
        assertThat(declared).isEqualTo(promised);
    }

    /** A declaration in the words of the register. */
    private static String asks(Door door) {
        String relation = door.relation().wireName();
        return switch (door.asks()) {
            case NOTHING -> "nothing";
            case EACH_ITEM -> relation + " on each item";
            case JOB -> relation + " on what the job is about";
            case BATCH -> relation + " on each object in the body";
            case GRANT -> "can_grant_<rung> on the " + door.target().wireName();
            case TARGET -> relation + " on the " + object(door) + destination(door);
        };
    }

    private static String object(Door door) {
        if (door.askedOnParent()) {
            return "parent " + door.parent().wireName();
        }
        Target asked = switch (door.relation()) {
            // A project lies in nothing but the installation.
            case CAN_CREATE_PROJECT -> Target.ESTATE;
            case CAN_CREATE_ROLE -> Target.PROJECT;
            default -> door.target();
        };
        return asked.wireName();
    }

    private static String destination(Door door) {
        return Stream.of(door.onDestination())
                .map(relation -> " and " + relation.wireName() + " at the destination")
                .collect(Collectors.joining());
    }
}
