package io.rask.catalog.caller;

import io.rask.catalog.access.Relation;
import io.rask.catalog.access.key.ApiKey;
import io.rask.catalog.access.key.ApiKeys;
import io.rask.catalog.door.Asked;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Target;
import io.rask.catalog.platform.PageRequest;
import io.rask.catalog.wire.ApiKeyResponse;
import io.rask.catalog.wire.CreateApiKeyRequest;
import io.rask.catalog.wire.CreateApiKeyResponse;
import io.rask.catalog.wire.ListApiKeysResponse;
import io.rask.catalog.wire.PageQuery;
import io.rask.catalog.wire.RevokeApiKeyResponse;
import java.time.Duration;
import org.springframework.http.CacheControl;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors of the caller's own keys. */
@RestController
class ApiKeyController {
    private final ApiKeys keys;

    ApiKeyController(ApiKeys keys) {
        this.keys = keys;
    }

    @PostMapping("/v1/api-keys")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.NOTHING)
    ResponseEntity<CreateApiKeyResponse> create(@Body CreateApiKeyRequest body, RequestContext context) {
        Long seconds = body.expiresInSeconds();
        ApiKeys.Made made =
                keys.make(context.principal(), body.name(), seconds == null ? null : Duration.ofSeconds(seconds));
        return ResponseEntity.ok()
                .cacheControl(CacheControl.noStore())
                .body(new CreateApiKeyResponse(
                        made.key().id(),
                        made.key().name(),
                        made.key().owner(),
                        made.key().createdAt().toString(),
                        made.key().expiresAt().toString(),
                        made.text()));
    }

    @GetMapping("/v1/api-keys")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.NOTHING)
    ListApiKeysResponse list(@Query PageQuery query, RequestContext context) {
        PageRequest.Page<ApiKey> page = PageRequest.of(query.pageToken(), query.limit())
                .cut(keys.of(context.principal().subject()), ApiKey::id);
        return new ListApiKeysResponse(
                page.items().stream().map(ApiKeyController::response).toList(), page.next());
    }

    @DeleteMapping("/v1/api-keys/{key_id}")
    @Door(relation = Relation.CAN_GET_METADATA, target = Target.NONE, asks = Asked.NOTHING)
    RevokeApiKeyResponse revoke(@PathVariable("key_id") String id, RequestContext context) {
        keys.revoke(context.principal().subject(), id);
        return new RevokeApiKeyResponse(id);
    }

    private static ApiKeyResponse response(ApiKey key) {
        return new ApiKeyResponse(
                key.id(),
                key.name(),
                key.owner(),
                key.createdAt().toString(),
                key.expiresAt().toString());
    }
}
