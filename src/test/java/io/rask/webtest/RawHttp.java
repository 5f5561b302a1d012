package io.rask.webtest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** HTTP as bytes on a socket: no client library tidies up the request, and a broken answer is seen as broken. */
public final class RawHttp {
    private static final JsonMapper JSON = new JsonMapper();

    /**
     * An answer.
     *
     * @param complete whether the body ended as its framing promised
     */
    public record Answer(int status, Map<String, String> headers, byte[] body, boolean complete) {
        public String header(String name) {
            return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        }

        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        public JsonNode json() {
            return JSON.readTree(body);
        }

        public int code() {
            return json().path("code").asInt(-1);
        }
    }

    private final int port;

    public RawHttp(int port) {
        this.port = port;
    }

    public Answer post(String target, String body, String... headers) throws IOException {
        return send("POST", target, body.getBytes(StandardCharsets.UTF_8), headers);
    }

    public Answer get(String target, String... headers) throws IOException {
        return send("GET", target, new byte[0], headers);
    }

    public Answer send(String method, String target, byte[] body, String... headers) throws IOException {
        StringBuilder head =
                new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (body.length > 0 || method.equals("POST")) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        return raw(head + "\r\n", body);
    }

    public Answer raw(String head, byte[] body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return read(socket.getInputStream());
        }
    }

    private static Answer read(InputStream in) throws IOException {
        String statusLine = line(in);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        boolean complete;
        try {
            complete = headers.containsKey("content-length")
                    ? fixed(in, Integer.parseInt(headers.get("content-length")), body)
                    : chunked(in, body);
        } catch (SocketException e) {
            complete = false;
        }
        return new Answer(Integer.parseInt(statusLine.split(" ", 3)[1]), headers, body.toByteArray(), complete);
    }

    private static boolean fixed(InputStream in, int length, ByteArrayOutputStream body) throws IOException {
        body.writeBytes(in.readNBytes(length));
        return body.size() == length;
    }

    private static boolean chunked(InputStream in, ByteArrayOutputStream body) throws IOException {
        while (true) {
            String size = line(in);
            if (size.isEmpty()) {
                return false;
            }
            int length = Integer.parseInt(size, 16);
            if (length == 0) {
                return true;
            }
            byte[] chunk = in.readNBytes(length);
            body.writeBytes(chunk);
            if (chunk.length < length) {
                return false;
            }
            line(in);
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }
}
