package io.rask.catalog.id;

import org.apache.catalina.connector.Connector;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** Lets the container pass addresses on that ids may need; it refuses the rest itself. */
@Component
final class RawAddressCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> {
    /** LanceDB's clients leave these unescaped in names. */
    private static final String PATH_CHARACTERS = "[]^|";
    /** Properties travel as JSON text in a query, which hand-written clients do not always escape. */
    private static final String QUERY_CHARACTERS = "\"<>[\\]^`{|}";

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addConnectorCustomizers(RawAddressCustomizer::configure);
    }

    private static void configure(Connector connector) {
        connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        connector.setEncodedReverseSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
        connector.setProperty("relaxedPathChars", PATH_CHARACTERS);
        connector.setProperty("relaxedQueryChars", QUERY_CHARACTERS);
    }
}
