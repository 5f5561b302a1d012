package io.rask.catalog.storage;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.BucketAlreadyExistsException;
import software.amazon.awssdk.services.s3.model.BucketAlreadyOwnedByYouException;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Makes buckets. */
@Component
public final class Buckets {
    private static final int NOT_FOUND = 404;

    private final Duration timeout;

    public Buckets(CatalogProperties properties) {
        this.timeout = properties.limits().storeTimeout();
    }

    /** Makes the bucket if it is not there; code 17 when the store does not answer or refuses. */
    void ensure(String bucket, Map<String, String> options) {
        try (S3Client client = client(options)) {
            if (!exists(client, bucket)) {
                create(client, bucket, String.valueOf(options.get("aws_region")));
            }
        } catch (SdkException e) {
            throw CatalogException.unavailable("The bucket of the warehouse cannot be reached or made.", e);
        }
    }

    private static boolean exists(S3Client client, String bucket) {
        try {
            client.headBucket(request -> request.bucket(bucket));
            return true;
        } catch (S3Exception e) {
            if (e.statusCode() == NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static void create(S3Client client, String bucket, String region) {
        CreateBucketRequest.Builder request = CreateBucketRequest.builder().bucket(bucket);
        if (!region.equals("us-east-1")) {
            request.createBucketConfiguration(configuration -> configuration.locationConstraint(region));
        }
        try {
            client.createBucket(request.build());
        } catch (BucketAlreadyOwnedByYouException | BucketAlreadyExistsException e) {
            // Another server made it at the same moment; whether it may be used shows at the next step.
            client.headBucket(head -> head.bucket(bucket));
        }
    }

    S3Client client(Map<String, String> options) {
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
}
