package io.rask.catalog.record;

import io.rask.catalog.platform.CatalogProperties;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;

/**
 * The clients of the record store: one for reads, which may be repeated, and one for conditional writes, which may not: a write
 * that was done and is repeated meets itself, and would look like a lost race.
 */
record S3Clients(SdkHttpClient http, S3Client reads, S3Client writes) implements AutoCloseable {
    private static final int READ_ATTEMPTS = 2;
    private static final int MAX_CONNECTIONS = 64;

    /** @throws IllegalArgumentException naming the setting that does not fit */
    static S3Clients of(CatalogProperties properties) {
        CatalogProperties.S3 s3 = properties.s3();
        check(s3);
        Duration timeout = properties.limits().storeTimeout();
        SdkHttpClient http = Apache5HttpClient.builder()
                .connectionTimeout(timeout)
                .socketTimeout(timeout)
                .connectionAcquisitionTimeout(timeout)
                .maxConnections(MAX_CONNECTIONS)
                .expectContinueEnabled(false)
                .build();
        return new S3Clients(http, client(s3, http, timeout, READ_ATTEMPTS), client(s3, http, timeout, 1));
    }

    private static S3Client client(CatalogProperties.S3 s3, SdkHttpClient http, Duration timeout, int attempts) {
        boolean modern = s3.checksums().equals("when-supported");
        S3ClientBuilder builder = S3Client.builder()
                .httpClient(http)
                .region(Region.of(s3.region()))
                .credentialsProvider(credentials(s3))
                .forcePathStyle(!s3.virtualHosted())
                .requestChecksumCalculation(
                        modern ? RequestChecksumCalculation.WHEN_SUPPORTED : RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(
                        modern ? ResponseChecksumValidation.WHEN_SUPPORTED : ResponseChecksumValidation.WHEN_REQUIRED)
                .overrideConfiguration(configuration -> configuration
                        .apiCallAttemptTimeout(timeout)
                        .apiCallTimeout(timeout.multipliedBy(attempts))
                        .retryStrategy(AwsRetryStrategy.standardRetryStrategy().toBuilder()
                                .maxAttempts(attempts)
                                .build()));
        if (s3.endpoint() != null && !s3.endpoint().isBlank()) {
            builder.endpointOverride(URI.create(s3.endpoint().strip()));
        }
        return builder.build();
    }

    private static AwsCredentialsProvider credentials(CatalogProperties.S3 s3) {
        if (isEmpty(s3.accessKeyId())) {
            return DefaultCredentialsProvider.builder().build();
        }
        String id = String.valueOf(s3.accessKeyId());
        String secret = String.valueOf(s3.secretAccessKey());
        return StaticCredentialsProvider.create(
                isEmpty(s3.sessionToken())
                        ? AwsBasicCredentials.create(id, secret)
                        : AwsSessionCredentials.create(id, secret, String.valueOf(s3.sessionToken())));
    }

    private static void check(CatalogProperties.S3 s3) {
        if (isEmpty(s3.accessKeyId()) != isEmpty(s3.secretAccessKey())) {
            throw new IllegalArgumentException(
                    "lance.s3.access-key-id and lance.s3.secret-access-key must be given together or not at all");
        }
        if (!isEmpty(s3.endpoint())) {
            String endpoint = String.valueOf(s3.endpoint()).strip();
            if (!endpoint.matches("https?://[^/\\s]+/?")) {
                throw new IllegalArgumentException("lance.s3.endpoint is '" + endpoint
                        + "', but must be http://host[:port] or https://host[:port]");
            }
            if (endpoint.startsWith("http:") && Boolean.FALSE.equals(s3.allowHttp())) {
                throw new IllegalArgumentException(
                        "lance.s3.endpoint is plain http, which lance.s3.allow-http=false forbids");
            }
        }
    }

    private static boolean isEmpty(@Nullable String text) {
        return text == null || text.isBlank();
    }

    @Override
    public void close() {
        reads.close();
        writes.close();
        http.close();
    }
}
