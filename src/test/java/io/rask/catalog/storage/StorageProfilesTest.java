package io.rask.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.testing.Settings;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageProfilesTest {
    private static final String ENDPOINT = "https://store.example";

    private static StorageProfiles profiles(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("lance.rest.root", "s3://lance-catalog");
        settings.put("lance.s3.endpoint", "http://127.0.0.1:9000");
        settings.put("lance.s3.access-key-id", "server-id");
        settings.put("lance.s3.secret-access-key", "server-secret");
        settings.put("lance.storage.allowed-roots", "s3://shared/lake");
        settings.put("lance.storage.allowed-endpoints", ENDPOINT);
        settings.put("lance.storage.credentials.theirs.project", "acme");
        settings.put("lance.storage.credentials.theirs.access-key-id", "their-id");
        settings.put("lance.storage.credentials.theirs.secret-access-key", "their-secret");
        settings.putAll(more);
        return new StorageProfiles(Settings.of(settings));
    }

    private static StorageRequest request(
            @Nullable String root, @Nullable String endpoint, @Nullable String credential) {
        return new StorageRequest("acme", "lake-one", root, endpoint, null, credential);
    }

    @Test
    void clientsGetNothingWhereNoCredentialForThemIsConfigured() {
        StorageProfile profile = profiles(Map.of()).of(request(null, null, null));
        assertThat(profile.clientOptions()).isEmpty();
        assertThat(profile.serverOptions()).containsEntry("aws_access_key_id", "server-id");
        assertThat(profile.place().location()).isEqualTo("s3://lake-one");
    }

    @Test
    void clientsGetTheirOwnCredentialAndNeverTheServers() {
        Map<String, String> client = Map.of(
                "lance.s3.client-access-key-id", "client-id", "lance.s3.client-secret-access-key", "client-secret");
        StorageProfile profile = profiles(client).of(request(null, null, null));
        assertThat(profile.clientOptions().orElseThrow())
                .containsEntry("aws_access_key_id", "client-id")
                .containsEntry("aws_secret_access_key", "client-secret")
                .containsEntry("aws_endpoint", "http://127.0.0.1:9000")
                .containsEntry("allow_http", "true");
        assertThat(profile.clientOptions().orElseThrow().values()).noneMatch(value -> value.contains("server"));
        assertThat(profile.toString()).doesNotContain("secret");
        assertThat(profile.root().toString()).doesNotContain("secret");
    }

    @Test
    void aWarehouseWithACredentialReferenceNeverVendsAnotherCredentialsClientKeys() {
        Map<String, String> client = Map.of(
                "lance.s3.client-access-key-id", "client-id", "lance.s3.client-secret-access-key", "client-secret");
        StorageProfile profile = profiles(client).of(request(null, null, "theirs"));
        assertThat(profile.serverOptions()).containsEntry("aws_access_key_id", "their-id");
        assertThat(profile.clientOptions()).isEmpty();
    }

    @Test
    void aCredentialReferenceBelongsToItsProject() {
        StorageRequest foreign = new StorageRequest("other", "lake-one", null, null, null, "theirs");
        refuses(() -> profiles(Map.of()).of(foreign), ErrorCode.INVALID_INPUT, "no credential reference");
        refuses(
                () -> profiles(Map.of()).of(request(null, null, "nobodys")),
                ErrorCode.INVALID_INPUT,
                "no credential reference");
    }

    @Test
    void anEndpointMustBeAllowedAndHaveACredentialOfItsOwn() {
        refuses(
                () -> profiles(Map.of()).of(request(null, "http://169.254.169.254", "theirs")),
                ErrorCode.INVALID_INPUT,
                "allowed-endpoints");
        refuses(
                () -> profiles(Map.of()).of(request(null, ENDPOINT, null)),
                ErrorCode.INVALID_INPUT,
                "needs a credential reference");
        assertThat(profiles(Map.of()).of(request(null, ENDPOINT, "theirs")).serverOptions())
                .containsEntry("aws_endpoint", ENDPOINT)
                .containsEntry("allow_http", "false");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://shared",
                "s3://shared/lakeside",
                "s3://shared/lake/../x",
                "s3://shared/lake//x",
                "s3://key:secret@shared/lake/x",
                "s3://shared/lake/x?versionId=1",
                "file:///etc",
                "gs://shared/lake/x",
                "/shared/lake/x",
                "s3://shared/lake/%2e%2e"
            })
    void rootsOutsideTheAllowedPlacesAreRefused(String root) {
        refuses(() -> profiles(Map.of()).of(request(root, null, null)), ErrorCode.INVALID_INPUT, "root");
    }

    @Test
    void aRootBelowAnAllowedPlaceIsTaken() {
        assertThat(profiles(Map.of())
                        .of(request("s3://shared/lake/one", null, null))
                        .place()
                        .external())
                .isEqualTo("s3://shared/lake/one");
    }

    @Test
    void theCatalogsOwnRecordsAreOutOfReach() {
        StorageRequest whole = new StorageRequest("acme", "lance-catalog", null, null, null, null);
        refuses(() -> profiles(Map.of()).of(whole), ErrorCode.INVALID_INPUT, "records");
    }

    @Test
    void anExistingWarehouseStaysWhereItWasMadeAndIsUnavailableOnceItsStorageIsWithdrawn() {
        StorageProfiles moved = profiles(Map.of("lance.rest.root", "s3://another-catalog/prefix"));
        assertThat(moved.existing("s3://lake-one", request(null, null, null))
                        .place()
                        .location())
                .isEqualTo("s3://lake-one");
        StorageProfiles withdrawn = profiles(Map.of("lance.storage.allowed-roots", "s3://elsewhere"));
        refuses(
                () -> withdrawn.existing("s3://shared/lake/one", request("s3://shared/lake/one", null, null)),
                ErrorCode.SERVICE_UNAVAILABLE,
                "no longer allows");
    }

    private static void refuses(ThrowingCallable call, ErrorCode code, String text) {
        assertThatThrownBy(call).isInstanceOfSatisfying(CatalogException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e).hasMessageContaining(text);
        });
    }
}
