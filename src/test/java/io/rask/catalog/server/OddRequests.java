package io.rask.catalog.server;

import static io.rask.catalog.testing.ArrowStreams.INT64;
import static io.rask.catalog.testing.ArrowStreams.UTF8;
import static io.rask.catalog.testing.ArrowStreams.row;
import static io.rask.catalog.testing.ArrowStreams.vector;

import io.rask.catalog.testing.ArrowStreams;
import io.rask.catalog.testing.RunningServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.arrow.vector.types.pojo.Field;

/** Requests that are almost right, or not right at all, from a seed. */
final class OddRequests {
    /** The tables and namespaces that requests may name; the test keeps them there. */
    static final String HOME = "fuzz";

    static final String WAREHOUSE = "lake-fuzz";
    static final String PROJECT = "acme";
    static final List<Field> COLUMNS =
            List.of(Field.nullable("id", INT64), Field.nullable("text", UTF8), vector("place", 2));

    private static final byte[] ROWS =
            ArrowStreams.of(COLUMNS, List.of(row(1, "one", List.of(0, 1)), row(9, null, null)));
    private static final List<String> VERBS = List.of("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND");
    private static final List<String> TYPES = List.of(
            "application/json",
            "application/vnd.apache.arrow.stream",
            "text/plain",
            "application/octet-stream",
            "multipart/form-data",
            "application/x-www-form-urlencoded",
            "application/json; charset=utf-16",
            "application/json; charset=nope",
            "*/*",
            "x",
            ";",
            "\"");
    private final Random random;
    private final OddBodies bodies;

    OddRequests(long seed) {
        this.random = new Random(seed);
        this.bodies = new OddBodies(random);
    }

    /**
     * A route that requests are for.
     *
     * @param pattern its address, with names in braces
     * @param fields what its body and its query may have
     */
    record Route(String method, String pattern, List<String> fields) {}

    /** A request as it goes on the wire. */
    record Odd(String method, String target, List<String> headers, byte[] body) {
        @Override
        public String toString() {
            String text = new String(body, 0, Math.min(body.length, 600), StandardCharsets.ISO_8859_1);
            return method + " " + target + " " + headers + " [" + body.length + "] " + text;
        }
    }

    Odd next(Route route) {
        String pattern = route.pattern();
        String verb = chance(25) ? any(VERBS) : route.method();
        List<String> headers = new ArrayList<>();
        byte[] body = verb.equals("GET") && !chance(10) ? new byte[0] : body(route);
        if (!chance(10)) {
            headers.add("Content-Type: " + (chance(8) ? any(TYPES) : isArrow(pattern) ? TYPES.get(1) : TYPES.get(0)));
        }
        if (chance(30)) {
            headers.add("Content-Encoding: " + any(List.of("gzip", "identity", "br", "x", "")));
        }
        if (chance(20)) {
            headers.add("Accept: " + any(List.of("text/plain", "application/xml", "*/*", "x", "image/png;q=0.1", "")));
        }
        if (chance(30)) {
            headers.add("x-request-timeout-ms: " + any(List.of("-1", "x", "99999999999999999999", "5000", "")));
        }
        return new Odd(verb, target(route), headers, body);
    }

    private static boolean isArrow(String pattern) {
        return pattern.endsWith("/create") && pattern.contains("/table/") || pattern.endsWith("insert");
    }

    private String target(Route route) {
        String pattern = route.pattern();
        StringBuilder target = new StringBuilder(chance(8) ? "/management" : "");
        String warehouse = chance(6) ? oddId() : WAREHOUSE;
        for (String part : pattern.substring(1).split("/", -1)) {
            target.append('/').append(part.startsWith("{") ? named(part, pattern, warehouse) : part);
        }
        if (chance(3)) {
            // The dialect of LanceDB's own clients.
            target.append('/');
        }
        String joint = "?";
        for (int i = isArrow(pattern) ? 2 : random.nextInt(3); i > 0; i--) {
            target.append(joint).append(any(route.fields())).append('=');
            target.append(
                    chance(3) ? encoded(bodies.text()) : chance(4) ? any(OddBodies.NAMES) : any(OddBodies.NUMBERS));
            joint = "&";
        }
        if (pattern.endsWith("merge_insert") && !chance(4)) {
            target.append(joint).append("on=id&when_matched_update_all=true");
        }
        return target.toString();
    }

    private String named(String part, String pattern, String warehouse) {
        if (part.equals("{index_name}")) {
            return chance(4) ? oddId() : any(List.of("id_idx", "text_idx", "place_idx"));
        }
        return pattern.contains("/warehouses/")
                ? part.equals("{namespace}") && chance(2) ? HOME : warehouse
                : pattern.contains("/projects/") ? oddId() : objectId(pattern);
    }

    private String objectId(String pattern) {
        boolean namespace = pattern.contains("/namespace/");
        if (pattern.contains("/transaction/") && !chance(4)) {
            return HOME + "$t" + random.nextInt(4) + "$" + any(OddBodies.NUMBERS);
        }
        return switch (random.nextInt(10)) {
            case 0 -> oddId();
            case 1 -> HOME + "$" + oddId();
            case 2 -> namespace ? HOME : HOME + "%24declared";
            default -> namespace ? HOME + "$n" + random.nextInt(3) : HOME + "$t" + random.nextInt(4);
        };
    }

    private String oddId() {
        return any(List.of(
                "$",
                "a",
                "..",
                ".",
                "%00",
                "%",
                "%ff",
                "%2e%2e",
                "%2F",
                "a;b",
                "a$$b",
                "-",
                "_control",
                encoded("☃"),
                "n".repeat(2_000),
                "a$".repeat(500) + "b",
                encoded(bodies.text()),
                "x%20y",
                "*"));
    }

    private byte[] body(Route route) {
        if (isArrow(route.pattern()) ^ chance(12)) {
            return arrow();
        }
        byte[] json = bodies.json(route).getBytes(StandardCharsets.UTF_8);
        return chance(15) ? Arrays.copyOf(json, random.nextInt(json.length + 1)) : json;
    }

    private byte[] arrow() {
        byte[] bytes = ROWS.clone();
        return switch (random.nextInt(5)) {
            case 0 -> bytes;
            case 1 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
            case 2 -> {
                byte[] noise = new byte[random.nextInt(3_000)];
                random.nextBytes(noise);
                yield noise;
            }
            default -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                    bytes[random.nextInt(bytes.length)] = (byte) (chance(2) ? random.nextInt() : random.nextInt(3) - 1);
                }
                yield bytes;
            }
        };
    }

    /** Text for an address, short enough to reach the application. */
    private static String encoded(String text) {
        String all = URLEncoder.encode(text.substring(0, Math.min(1_500, text.length())), StandardCharsets.UTF_8);
        return all.length() > 3_000 ? RunningServer.id("x") : all;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
