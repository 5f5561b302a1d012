package io.rask.catalog.platform;

import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** What bounds a client's cost before its request reaches a handler and has no setting of the framework's. */
@Component
final class ConnectorLimits implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    private static final int HEADERS = 200;
    private static final String SOCKET_BUFFER = String.valueOf(64 << 10);

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addContextCustomizers(context -> context.getPipeline().addValve(new ConnectionValve()));
        factory.addConnectorCustomizers(connector -> {
            connector.setAllowTrace(false);
            if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http) {
                http.setMaxHeaderCount(HEADERS);
                // Tables go out in large pieces; the default of 8 KB makes a system call of each.
                http.setProperty("socket.appWriteBufSize", SOCKET_BUFFER);
                // A client that asks first is told to go on only when a handler really wants the body.
                http.setContinueResponseTiming("onRead");
            }
        });
    }
}
