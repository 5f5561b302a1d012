package io.rask.catalog.testing;

import io.rask.catalog.testing.FaultRule.S3Request;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.gaul.shaded.org.eclipse.jetty.io.EofException; // quiet in the server's log
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.util.BufferUtil;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;

/**
 * In front of S3Proxy: one write per path at a time, because S3Proxy looks at a condition and then writes, and between the two
 * another write could slip in; and the faults.
 */
final class FaultyHandler extends Handler.Wrapper {
    private final List<FaultRule> rules = new CopyOnWriteArrayList<>();
    private final Lock[] writes;
    private final boolean atomic;

    /** @param atomic false leaves the writes as S3Proxy does them, which is not safe */
    FaultyHandler(boolean atomic) {
        this(atomic, Stream.generate(ReentrantLock::new).limit(256).toArray(Lock[]::new));
    }

    private FaultyHandler(boolean atomic, Lock[] writes) {
        this.atomic = atomic;
        this.writes = writes;
    }

    /** One without rules, for another way to the same objects. */
    FaultyHandler another() {
        return new FaultyHandler(atomic, writes);
    }

    void add(FaultRule rule) {
        rules.add(rule);
    }

    void clear() {
        rules.forEach(FaultRule::close);
        rules.clear();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        S3Request seen = new S3Request(
                request.getMethod(),
                request.getHttpURI().getPath(),
                String.valueOf(request.getHttpURI().getQuery()));
        for (FaultRule rule : rules) {
            if (rule.takes(seen) && !(rule.fault() instanceof Fault.None)) {
                return handle(rule, seen, request, response, callback);
            }
        }
        return forward(seen, request, response, callback);
    }

    private boolean handle(FaultRule rule, S3Request seen, Request request, Response response, Callback callback)
            throws Exception {
        return switch (rule.fault()) {
            case Fault.None none -> forward(seen, request, response, callback);
            case Fault.Status status -> refuse(status.status(), status.code(), request, response, callback);
            case Fault.Delay delay -> {
                rule.await(delay.duration());
                yield forward(seen, request, response, callback);
            }
            case Fault.DropRequest drop -> {
                close(request);
                callback.failed(new EofException("request dropped"));
                yield true;
            }
            case Fault.DropReply drop ->
                forward(seen, request, new Mute(request, response), new Callback() {
                    @Override
                    public void succeeded() {
                        failed(new EofException("reply dropped"));
                    }

                    @Override
                    public void failed(Throwable reason) {
                        close(request);
                        callback.failed(reason);
                    }
                });
            case Fault.FailReply fail ->
                forward(seen, request, new Mute(request, response), new Callback() {
                    @Override
                    public void succeeded() {
                        response.reset();
                        refuse(fail.status(), fail.code(), request, response, callback);
                    }

                    @Override
                    public void failed(Throwable reason) {
                        callback.failed(reason);
                    }
                });
        };
    }

    private boolean forward(S3Request seen, Request request, Response response, Callback callback) throws Exception {
        if (!atomic || !seen.isWrite()) {
            return super.handle(request, response, callback);
        }
        Lock lock = writes[(seen.path().hashCode() >>> 1) % writes.length];
        lock.lock();
        try {
            return super.handle(request, response, callback);
        } finally {
            lock.unlock();
        }
    }

    private static boolean refuse(int status, String code, Request request, Response response, Callback callback) {
        response.setStatus(status);
        response.getHeaders().put("Content-Type", "application/xml");
        String body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>" + code
                + "</Code><Message>injected</Message></Error>";
        response.write(true, BufferUtil.toBuffer(request.getMethod().equals("HEAD") ? "" : body), callback);
        return true;
    }

    private static void close(Request request) {
        request.getConnectionMetaData().getConnection().getEndPoint().close();
    }

    /** A response that is written to and sends nothing. */
    private static final class Mute extends Response.Wrapper {
        Mute(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            callback.succeeded();
        }
    }
}
