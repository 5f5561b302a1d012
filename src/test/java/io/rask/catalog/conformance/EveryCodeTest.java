package io.rask.catalog.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.conformance.ValidCalls.Home;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.testing.Clones;
import io.rask.catalog.testing.Register;
import io.rask.catalog.testing.Register.Operation;
import io.rask.catalog.testing.RunningServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.node.ObjectNode;

/** The codes that have their cause outside of a request, and all codes together. */
@ExtendWith(ConformanceCatalog.Provider.class)
class EveryCodeTest {
    private final ConformanceCatalog catalog;
    private final RunningServer server;
    private final ValidCalls valid;

    EveryCodeTest(ConformanceCatalog catalog) {
        this.catalog = catalog;
        this.server = catalog.server();
        this.valid = catalog.valid();
    }

    private static Stream<Operation> onObjects() {
        return Register.served().filter(Operation::namesAnObject);
    }

    /** What would succeed for the table of rows of another namespace. */
    private Call in(Home other, Operation operation) {
        Call call = valid.of(operation).on(idIn(other, operation));
        return call.json() instanceof ObjectNode body && body.has("id")
                ? call.changed(changed -> changed.remove("id"))
                : call;
    }

    private static String[] idIn(Home home, Operation operation) {
        if (operation.path().startsWith("/v1/namespace/")) {
            return new String[] {home.namespace(), "inside"};
        }
        return operation.path().startsWith("/v1/transaction/")
                ? new String[] {home.namespace(), "rows", "1"}
                : new String[] {home.namespace(), "rows"};
    }

    /** The operations that answered something else than a code. */
    private List<String> others(Home home, int code) {
        List<String> others = new ArrayList<>();
        onObjects().forEach(operation -> {
            RawHttp.Answer answer = catalog.send(in(home, operation));
            if (answer.status() < 400 || answer.code() != code) {
                others.add(operation + ": " + answer.status() + " " + answer.text());
            }
        });
        return others;
    }

    @Test
    void everyOperationBelowADeactivatedWarehouseIsRefused() {
        Home shut = valid.newHome("shut");
        server.post("/v1/warehouses/" + shut.warehouse() + "/deactivate").ok();
        assertThat(others(shut, 15)).isEmpty();
    }

    @Test
    void everyOperationWhosePlaceCannotBeReadIsUnavailable() throws IOException {
        Home lost = valid.newHome("lost");
        Path binding = catalog.folder()
                .resolve("control/_warehouses/bindings/" + RecordKey.hashed("namespace", lost.namespace()) + ".json");
        byte[] whole = Files.readAllBytes(binding);
        Files.writeString(binding, "{\"id\":");
        try {
            assertThat(others(lost, 17)).isEmpty();
        } finally {
            Files.write(binding, whole);
        }
    }

    private RawHttp.Answer shutOut() {
        Home shut = valid.newHome("out");
        server.post("/v1/warehouses/" + shut.warehouse() + "/deactivate").ok();
        return catalog.send(in(shut, Register.operation("DescribeTable")));
    }

    private RawHttp.Answer unreadable() throws IOException {
        Path record = catalog.folder().resolve("control/_projects/damaged.json");
        server.post("/v1/projects", "{\"id\":\"damaged\"}").ok();
        Files.writeString(record, "{\"id\":");
        RawHttp.Answer answer = new RawHttp(server.port()).get("/v1/projects/damaged");
        Files.delete(record);
        return answer;
    }

    /** A file of a table's rows is gone. */
    private RawHttp.Answer damaged() throws IOException {
        List<String> table = valid.newTable();
        String location = server.post(ValidCalls.address(table) + "/describe")
                .ok()
                .json()
                .path("location")
                .asString();
        try (Stream<Path> files = Files.list(Clones.folder(location).resolve("data"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        return catalog.send(valid.of(Register.operation("QueryTable")).on(table.toArray(String[]::new)));
    }

    /** As many uploads as there may be are under way, and go no further. */
    private RawHttp.Answer tooMany() throws IOException {
        Call insert = valid.of(Register.operation("InsertIntoTable"));
        String head = "POST " + insert.target() + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n";
        List<Socket> uploads = new ArrayList<>();
        try {
            for (int i = 0; i < ConformanceCatalog.UPLOADS; i++) {
                Socket upload = new Socket(InetAddress.getLoopbackAddress(), server.port());
                uploads.add(upload);
                upload.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
                upload.getOutputStream().flush();
            }
            RawHttp.Answer answer = catalog.send(insert);
            // Until all of them have arrived, there is room.
            while (answer.status() == 200) {
                answer = catalog.send(insert);
            }
            return answer;
        } finally {
            for (Socket upload : uploads) {
                upload.close();
            }
        }
    }

    /** Another server over a place of its own, which asks who comes. */
    private RawHttp.Answer unknown() throws IOException {
        Map<String, String> settings = Map.of(
                "lance.jobs.worker", "none",
                "lance.bootstrap.keys.ann.subject", "ann",
                "lance.bootstrap.keys.ann.key", "0123456789abcdef0123456789abcdef");
        try (RunningServer asking = RunningServer.on(catalog.folder().resolve("asking"), settings)) {
            return new RawHttp(asking.port()).get("/v1/projects");
        }
    }

    @Test
    void everyCodeIsSeenOnTheWire() throws IOException {
        Set<Integer> seen = new TreeSet<>();
        catalog.run()
                .outcomes()
                .values()
                .forEach(outcome -> outcome.refusals().values().forEach(answer -> seen.add(answer.code())));
        for (RawHttp.Answer answer : List.of(shutOut(), unreadable(), damaged(), tooMany(), unknown())) {
            assertThat(answer.status()).as(answer.text()).isGreaterThanOrEqualTo(400);
            seen.add(answer.code());
        }
        Set<Integer> wanted =
                Arrays.stream(ErrorCode.values()).map(ErrorCode::number).collect(Collectors.toCollection(TreeSet::new));
        assertThat(seen).containsExactlyInAnyOrderElementsOf(wanted);
    }
}
