package io.rask.catalog.events;

import io.rask.catalog.platform.EventProperties.Webhook;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An event as it is posted: a CloudEvent in structured form, signed as the Standard Webhooks do. */
final class WebhookRequest {
    private static final String ALGORITHM = "HmacSHA256";

    private WebhookRequest() {}

    static HttpRequest of(Webhook hook, JsonNode event, Instant now) {
        byte[] body = JsonMapper.shared().writeValueAsBytes(event);
        String id = event.path("id").asString();
        String timestamp = String.valueOf(now.getEpochSecond());
        return HttpRequest.newBuilder(URI.create(hook.url()))
                .timeout(hook.timeout())
                .header("Content-Type", "application/cloudevents+json")
                .header("webhook-id", id)
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", "v1," + signature(hook.secret(), id, timestamp, body))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
    }

    /** What a receiver computes too, over {@code id.timestamp.body}. */
    static String signature(String secret, String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
