package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of the caller's keys. */
public record ListApiKeysResponse(
        List<ApiKeyResponse> apiKeys, @Nullable String pageToken) {}
