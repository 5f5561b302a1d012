package io.rask.catalog.access.identity;

import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Principal;
import io.rask.catalog.platform.CatalogProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;

/** Asks nobody who they are. That is for one machine: beyond it, the operator has to say that this is meant. */
final class NoIdentification implements Identification {
    private static final Logger LOG = LoggerFactory.getLogger(NoIdentification.class);

    NoIdentification(ServerProperties server, CatalogProperties properties) {
        InetAddress address = server.getAddress();
        if (!isLoopback(address) && !properties.allowUnauthenticated()) {
            throw new ExposedWithoutAuthenticationException(address);
        }
        LOG.warn(
                "No authentication: everyone who reaches {} may read, change and delete everything.",
                isLoopback(address) ? "this machine's port" : "this server");
    }

    private static boolean isLoopback(@Nullable InetAddress address) {
        return address != null && address.isLoopbackAddress();
    }

    @Override
    public Principal identify(HttpServletRequest request) {
        return Principal.ANONYMOUS;
    }
}
