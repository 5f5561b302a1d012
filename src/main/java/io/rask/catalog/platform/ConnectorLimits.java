package io.rask.catalog.platform;

import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;
import org.springframework.util.unit.DataSize;

/** Bounds on what a client may cost before its request reaches a handler. */
@Component
final class ConnectorLimits implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    /** Bearer tokens and the JSON properties that travel in a query need more than the usual 8 KiB. */
    private static final int REQUEST_HEAD = (int) DataSize.ofKilobytes(32).toBytes();

    private static final int HEADERS = 200;
    private static final int PARAMETERS = 200;
    /** The longest silence within a request. */
    private static final int READ_TIMEOUT_MILLIS = 30_000;

    private static final int KEEP_ALIVE_MILLIS = 60_000;
    /**
     * What is read of a refused body so that the client sees the refusal: one that is cut off while it still sends mostly reports a
     * broken pipe instead.
     */
    private static final int SWALLOWED = (int) DataSize.ofMegabytes(32).toBytes();

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> {
            connector.setMaxParameterCount(PARAMETERS);
            connector.setAllowTrace(false);
            limit(connector.getProtocolHandler());
        });
    }

    private static void limit(ProtocolHandler handler) {
        if (handler instanceof AbstractHttp11Protocol<?> http) {
            http.setMaxHttpRequestHeaderSize(REQUEST_HEAD);
            http.setMaxHeaderCount(HEADERS);
            http.setConnectionTimeout(READ_TIMEOUT_MILLIS);
            http.setKeepAliveTimeout(KEEP_ALIVE_MILLIS);
            http.setMaxSwallowSize(SWALLOWED);
            // A client that asks first is told to go on only when a handler really wants the body.
            http.setContinueResponseTiming("onRead");
        }
    }
}
