package io.rask.bench;

import java.util.HashMap;
import java.util.Map;
import org.lance.namespace.RestAdapter;

/** The reference server of the Lance library, as a process of its own. */
public final class ReferenceServer {
    private ReferenceServer() {}

    /** @param arguments the port, the root, and storage options as {@code key=value} */
    public static void main(String[] arguments) throws InterruptedException {
        Map<String, String> settings = new HashMap<>();
        settings.put("root", arguments[1]);
        // The lay-out that keeps nested namespaces and is safe under races; the library's own default adds a directory
        // listing.
        settings.put("manifest_enabled", "true");
        settings.put("dir_listing_enabled", "false");
        for (int i = 2; i < arguments.length; i++) {
            String[] option = arguments[i].split("=", 2);
            settings.put("storage." + option[0], option[1]);
        }
        try (RestAdapter server = new RestAdapter("dir", settings, "127.0.0.1", Integer.valueOf(arguments[0]))) {
            server.start();
            Thread.currentThread().join();
        }
    }
}
