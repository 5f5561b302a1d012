package io.rask.catalog.testing;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server over a store of its own, in memory, for one class of tests: there is a warehouse {@code lake-one} with the namespace
 * {@code sales}. What a test has the store do to requests ends with the test.
 */
public final class S3Catalog implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private static final String BUCKET = "lance-catalog";

    private final Map<String, String> more;
    private @Nullable S3Server store;
    private @Nullable RunningServer server;

    private S3Catalog(Map<String, String> more) {
        this.more = more;
    }

    public static S3Catalog plain() {
        return with(Map.of());
    }

    /** A server with settings beside those that lead to the store. */
    public static S3Catalog with(Map<String, String> settings) {
        return new S3Catalog(settings);
    }

    /** A store with the bucket that {@link #settings} are about. */
    static S3Server newStore() {
        return S3Server.inMemory().withBucket(BUCKET);
    }

    /** The settings of a server over a store. */
    static Map<String, String> settings(S3Server way, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(way.settings());
        settings.put("lance.rest.root", "s3://" + BUCKET);
        settings.putAll(more);
        return settings;
    }

    public S3Server store() {
        return Objects.requireNonNull(store);
    }

    public RunningServer server() {
        return Objects.requireNonNull(server);
    }

    /** The address of a table, without an operation. */
    public String table(String name) {
        return "/v1/table/" + RunningServer.id("sales", name);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        S3Server made = newStore();
        RunningServer over = RunningServer.with(settings(made, more));
        store = made;
        server = over;
        over.makeNamespace("acme", "lake-one", "sales");
    }

    @Override
    public void afterEach(ExtensionContext context) {
        store().heal();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        server().close();
        store().close();
    }
}
