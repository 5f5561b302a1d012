package io.rask.catalog.testing;

import io.rask.catalog.testing.FaultRule.S3Request;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Predicate;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Server;

/**
 * An S3 server for tests, on a free port of the loopback interface: S3Proxy, made safe for conditional writes, with faults on
 * demand. Also a program, for scripts that need a server as a process of its own; see {@link #main}.
 */
public final class S3Server implements AutoCloseable {
    public static final String ACCESS_KEY = "test-access";
    public static final String SECRET_KEY = "test-secret";
    public static final String REGION = "us-east-1";

    private final BlobStore blobs;
    private final boolean owner;
    private final FaultyHandler handler;
    private int port;
    private S3Proxy proxy;

    private S3Server(BlobStore blobs, boolean atomic, int port) {
        this(blobs, true, new FaultyHandler(atomic), port);
    }

    private S3Server(BlobStore blobs, boolean owner, FaultyHandler handler, int port) {
        this.blobs = blobs;
        this.owner = owner;
        this.handler = handler;
        this.port = port;
        this.proxy = launch();
        this.port = proxy.getPort();
    }

    /** A server that keeps its objects in memory. */
    public static S3Server inMemory() {
        return new S3Server(new TransientNio2BlobStore(), true, 0);
    }

    /** A server that keeps its objects in a folder, whose file system must have extended attributes; buckets are subfolders. */
    public static S3Server onFolder(Path folder) {
        return onFolder(folder, 0);
    }

    /** The server without what makes its conditional writes safe: two writers may both win. */
    public static S3Server notAtomic(Path folder) {
        return new S3Server(new FilesystemNio2BlobStore(folder.toString()), false, 0);
    }

    private static S3Server onFolder(Path folder, int port) {
        return new S3Server(new FilesystemNio2BlobStore(folder.toString()), true, port);
    }

    /**
     * Another way to the same objects, with faults of its own: so that one of several servers loses the store alone. The objects are
     * this server's, and end with it.
     */
    public S3Server door() {
        return new S3Server(blobs, false, handler.another(), 0);
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** What a server needs to be told to use this one: the {@code lance.s3.*} properties. */
    public Map<String, String> settings() {
        return Map.of(
                "lance.s3.endpoint", endpoint().toString(),
                "lance.s3.access-key-id", ACCESS_KEY,
                "lance.s3.secret-access-key", SECRET_KEY,
                "lance.s3.region", REGION);
    }

    /** Makes a bucket unless it is there; also while the server is stopped. */
    public S3Server withBucket(String name) {
        if (!blobs.containerExists(name)) {
            blobs.createContainer(name);
        }
        return this;
    }

    /** Does this to all matching requests until the rule is closed. */
    public FaultRule always(Predicate<S3Request> match, Fault fault) {
        return next(Integer.MAX_VALUE, match, fault);
    }

    /** Does this to the next so many matching requests. */
    public FaultRule next(int times, Predicate<S3Request> match, Fault fault) {
        FaultRule rule = new FaultRule(match, fault, times);
        handler.add(rule);
        return rule;
    }

    /** Counts matching requests. */
    public FaultRule watch(Predicate<S3Request> match) {
        return always(match, new Fault.None());
    }

    /** Ends all rules. */
    public void heal() {
        handler.clear();
    }

    /** Refuses connections from now on; the objects stay. */
    public void stop() {
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IllegalStateException("The S3 server did not stop", e);
        }
    }

    /** Answers again, on the same port. */
    public void start() {
        proxy = launch();
    }

    @Override
    public void close() {
        heal();
        stop();
        if (owner) {
            blobs.close();
        }
    }

    private S3Proxy launch() {
        try {
            S3Proxy made = S3Proxy.builder()
                    .blobStore(blobs)
                    .endpoint(endpoint())
                    .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                    .build();
            var server = S3Proxy.class.getDeclaredField("server");
            server.setAccessible(true);
            handler.setHandler((Handler) null);
            ((Server) server.get(made)).insertHandler(handler);
            made.start();
            return made;
        } catch (Exception e) {
            throw new IllegalStateException("The S3 server did not start", e);
        }
    }

    /**
     * Runs a server until the process is ended: {@code S3Server PORT FOLDER [BUCKET…]}. Prints one line when it answers; port 0
     * takes a free one.
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length < 2) {
            System.err.println("usage: S3Server PORT FOLDER [BUCKET...]");
            System.exit(2);
        }
        Path folder = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
        try (S3Server server = onFolder(folder, Integer.parseInt(args[0]))) {
            Arrays.stream(args).skip(2).forEach(server::withBucket);
            System.out.println("S3 server answers on " + server.endpoint() + " access key " + ACCESS_KEY
                    + " secret key " + SECRET_KEY);
            Thread.currentThread().join();
        }
    }
}
