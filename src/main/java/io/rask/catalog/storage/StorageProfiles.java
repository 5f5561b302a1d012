package io.rask.catalog.storage;

import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Decides where a warehouse may live and with which credential it is reached. */
@Component
public final class StorageProfiles {
    private final CatalogProperties properties;
    private final StoreUri restRoot;
    private final StoreUri controlRoot;
    private final List<StoreUri> allowedRoots;

    public StorageProfiles(CatalogProperties properties) {
        this.properties = properties;
        this.restRoot = StoreUri.parse(properties.rest().root());
        this.controlRoot = properties.controlRoot();
        this.allowedRoots = properties.storage().allowedRoots().stream()
                .map(StoreUri::parse)
                .toList();
    }

    /** The root without warehouses. */
    public StorageProfile single() {
        return profile(restRoot, null, null, own());
    }

    /**
     * The profile of a warehouse about to be made.
     *
     * @throws CatalogException code 13 when the root, endpoint or credential is not allowed; the text says which
     */
    public StorageProfile of(StorageRequest request) {
        return checked(place(request), request);
    }

    /**
     * The profile of a warehouse that was made earlier, at the place it was made at, whatever the default is by now.
     *
     * @param root the place, as a URI
     * @throws CatalogException code 17 when the operator has withdrawn the root, endpoint or credential since
     */
    public StorageProfile existing(String root, StorageRequest request) {
        try {
            return checked(request.root() == null ? StoreUri.parse(root) : place(request), request);
        } catch (CatalogException e) {
            throw CatalogException.unavailable(
                    "The configuration of the server no longer allows the storage of this warehouse; an operator has to"
                            + " look at it.",
                    e);
        }
    }

    /** Whether a location below a root touches the catalog's own records; without warehouses they may lie in the one root. */
    public boolean touchesRecords(StorageProfile home, String location) {
        StoreUri place = home.place();
        for (String segment : location.split("/", -1)) {
            place = place.child(segment);
        }
        return place.overlaps(controlRoot);
    }

    private StorageProfile checked(StoreUri place, StorageRequest request) {
        if (place.overlaps(controlRoot)) {
            throw CatalogException.invalid(
                    "The warehouse's root may not touch the catalog's own records; choose another.");
        }
        Keys keys = keys(request);
        if (request.endpoint() != null) {
            requireEndpoint(request.endpoint(), request.credential());
        }
        return profile(place, request.endpoint(), request.region(), keys);
    }

    private StoreUri place(StorageRequest request) {
        if (request.root() == null) {
            return restRoot instanceof StoreUri.Bucket
                    ? new StoreUri.Bucket(request.bucket(), "")
                    : restRoot.child(request.bucket());
        }
        StoreUri place;
        try {
            place = StoreUri.parse(request.root());
        } catch (IllegalArgumentException e) {
            throw CatalogException.invalid("The warehouse's root is not usable: " + e.getMessage() + ".");
        }
        if (!request.root().startsWith("s3://") && !request.root().startsWith("file://")) {
            throw CatalogException.invalid("The warehouse's root must begin with s3:// or file://.");
        }
        if (allowedRoots.stream().noneMatch(allowed -> allowed.contains(place))) {
            throw CatalogException.invalid(
                    "The warehouse's root is outside the places the operator allows (lance.storage.allowed-roots).");
        }
        return place;
    }

    private void requireEndpoint(String endpoint, @Nullable String credential) {
        if (!properties.storage().allowedEndpoints().contains(endpoint)) {
            throw CatalogException.invalid(
                    "The endpoint is not one the operator allows (lance.storage.allowed-endpoints).");
        }
        if (credential == null) {
            // The server's own keys never go to an endpoint that a request has named.
            throw CatalogException.invalid("A warehouse with an endpoint of its own needs a credential reference.");
        }
    }

    private record Keys(
            @Nullable String id,
            @Nullable String secret,
            @Nullable String token,
            @Nullable String clientId,
            @Nullable String clientSecret,
            @Nullable String clientToken) {}

    private Keys own() {
        CatalogProperties.S3 s3 = properties.s3();
        return new Keys(
                s3.accessKeyId(),
                s3.secretAccessKey(),
                s3.sessionToken(),
                s3.clientAccessKeyId(),
                s3.clientSecretAccessKey(),
                s3.clientSessionToken());
    }

    private Keys keys(StorageRequest request) {
        if (request.credential() == null) {
            return own();
        }
        CatalogProperties.Credential credential =
                properties.storage().credentials().get(request.credential());
        if (credential == null || !credential.project().equals(request.project())) {
            throw CatalogException.invalid(
                    "The project has no credential reference of that name (lance.storage.credentials).");
        }
        return new Keys(
                credential.accessKeyId(),
                credential.secretAccessKey(),
                credential.sessionToken(),
                credential.clientAccessKeyId(),
                credential.clientSecretAccessKey(),
                credential.clientSessionToken());
    }

    private StorageProfile profile(StoreUri place, @Nullable String endpoint, @Nullable String region, Keys keys) {
        if (place instanceof StoreUri.Folder) {
            return new StorageProfile(place, Map.of(), Optional.empty());
        }
        Map<String, String> shared = new HashMap<>();
        String target = endpoint != null ? endpoint : properties.s3().endpoint();
        if (target != null) {
            shared.put("aws_endpoint", target);
            shared.put("allow_http", String.valueOf(allowHttp(target)));
        }
        shared.put("aws_region", region != null ? region : properties.s3().region());
        shared.put(
                "aws_virtual_hosted_style_request",
                String.valueOf(properties.s3().virtualHosted()));
        // One key opens the whole store: where rights are asked for, nobody is handed what would pass them by.
        Optional<Map<String, String>> clients =
                properties.fga().enabled() ? Optional.empty() : clientOptions(shared, keys);
        return new StorageProfile(place, serverOptions(shared, keys), clients);
    }

    private boolean allowHttp(String endpoint) {
        Boolean configured = properties.s3().allowHttp();
        return configured != null ? configured : endpoint.startsWith("http://");
    }

    private Map<String, String> serverOptions(Map<String, String> shared, Keys keys) {
        Map<String, String> options = new HashMap<>(shared);
        put(options, keys.id, keys.secret, keys.token);
        // A store that hangs is cut here; the library's own patience is minutes, and it tries each read four times.
        long seconds = Math.max(1, properties.limits().storeTimeout().toSeconds());
        // A repeated conditional write meets its own first attempt when only the answer was lost, takes it for another
        // writer's, and the library then commits the same rows a second time. Who may repeat a request says so itself.
        options.put("client_max_retries", "0");
        options.put("client_retry_timeout", String.valueOf(seconds));
        options.put("timeout", seconds + "s");
        options.put("connect_timeout", Math.min(seconds, 5) + "s");
        return options;
    }

    private static Optional<Map<String, String>> clientOptions(Map<String, String> shared, Keys keys) {
        if (keys.clientId == null || keys.clientSecret == null) {
            return Optional.empty();
        }
        Map<String, String> options = new HashMap<>(shared);
        put(options, keys.clientId, keys.clientSecret, keys.clientToken);
        return Optional.of(Map.copyOf(options));
    }

    private static void put(
            Map<String, String> options, @Nullable String id, @Nullable String secret, @Nullable String token) {
        if (id != null) {
            options.put("aws_access_key_id", id);
        }
        if (secret != null) {
            options.put("aws_secret_access_key", secret);
        }
        if (token != null) {
            options.put("aws_session_token", token);
        }
    }
}
