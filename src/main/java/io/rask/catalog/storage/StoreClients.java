package io.rask.catalog.storage;

import io.rask.catalog.platform.CatalogProperties;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/** S3 clients for the places of warehouses, one for each way to reach a store. */
@Component
public final class StoreClients implements DisposableBean {
    private final Duration timeout;
    private final ConcurrentMap<Map<String, String>, S3Client> clients = new ConcurrentHashMap<>();

    public StoreClients(CatalogProperties properties) {
        this.timeout = properties.limits().storeTimeout();
    }

    /** The client for a profile's options; it belongs to this object and is not to be closed. */
    S3Client of(Map<String, String> options) {
        return clients.computeIfAbsent(options, wanted -> open(wanted, timeout));
    }

    /** A client of the caller's own. */
    static S3Client open(Map<String, String> options, Duration timeout) {
        S3ClientBuilder builder = S3Client.builder()
                .region(Region.of(String.valueOf(options.get("aws_region"))))
                .forcePathStyle(!Boolean.parseBoolean(options.get("aws_virtual_hosted_style_request")))
                .overrideConfiguration(override -> override.apiCallTimeout(timeout));
        String endpoint = options.get("aws_endpoint");
        if (endpoint != null) {
            builder.endpointOverride(URI.create(endpoint));
        }
        String id = options.get("aws_access_key_id");
        String secret = options.get("aws_secret_access_key");
        if (id != null && secret != null) {
            String token = options.get("aws_session_token");
            AwsCredentials keys = token == null
                    ? AwsBasicCredentials.create(id, secret)
                    : AwsSessionCredentials.create(id, secret, token);
            builder.credentialsProvider(StaticCredentialsProvider.create(keys));
        }
        return builder.build();
    }

    @Override
    public void destroy() {
        clients.values().forEach(S3Client::close);
        clients.clear();
    }
}
