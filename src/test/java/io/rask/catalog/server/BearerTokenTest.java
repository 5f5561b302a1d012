package io.rask.catalog.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.EncryptionMethod;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWEAlgorithm;
import com.nimbusds.jose.JWEHeader;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSAEncrypter;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.EncryptedJWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.rask.catalog.testing.RunningServer;
import io.rask.catalog.testing.TokenServer;
import io.rask.webtest.RawHttp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Tokens of a provider that really runs, and what passes for one. */
@ExtendWith(AskingCatalog.Provider.class)
class BearerTokenTest {
    private final RunningServer server;
    private final RawHttp raw;
    private final TokenServer tokens;

    BearerTokenTest(AskingCatalog catalog) {
        this.server = catalog.server();
        this.raw = new RawHttp(server.port());
        this.tokens = catalog.tokens();
    }

    private JsonNode me(String token) {
        return server.asking("Authorization", "Bearer " + token)
                .get("/v1/me")
                .ok()
                .json();
    }

    private RawHttp.Answer asking(String... headers) throws IOException {
        return raw.get("/v1/me", headers);
    }

    private static void assertChallenged(RawHttp.Answer answer) {
        assertThat(answer.status()).as(answer.text()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo(16);
        assertThat(answer.header("content-type")).startsWith("application/problem+json");
        assertThat(answer.header("www-authenticate")).isNotBlank();
    }

    private static Date in(long seconds) {
        return Date.from(Instant.now().plusSeconds(seconds));
    }

    @Test
    void aTokenSaysWhoAsks() {
        JsonNode me = me(tokens.token(
                "ann", Map.of("name", "Ann", "email", "ann@example.com", "groups", List.of("/data", "ops"))));
        assertThat(me.toString())
                .isEqualTo("{\"subject\":\"ann\",\"identified_by\":\"token\",\"name\":\"Ann\","
                        + "\"email\":\"ann@example.com\",\"teams\":[\"%2Fdata\",\"ops\"]}");
    }

    @Test
    void subjectsOfTwoIssuersAreNeverOne() {
        assertThat(me(tokens.token("ann")).path("subject").asString()).isEqualTo("ann");
        JsonNode partner = me(tokens.partnerToken("ann", Map.of("groups", List.of("ops"))));
        assertThat(partner.path("subject").asString()).isEqualTo("partner/ann");
        assertThat(partner.path("teams").toString()).isEqualTo("[\"partner/ops\"]");
        assertThat(me(tokens.token("partner/ann")).path("subject").asString()).isEqualTo("partner%2Fann");
        assertThat(me(tokens.token("service/loader")).path("subject").asString())
                .isEqualTo("service%2Floader");
    }

    @Test
    void whatTheModelGivesAMeaningToIsEscapedInASubject() {
        assertThat(me(tokens.token("team:x#member")).path("subject").asString()).isEqualTo("team%3Ax%23member");
        assertThat(me(tokens.token("*")).path("subject").asString()).isEqualTo("%2A");
    }

    @Test
    void noTokenIsAChallengeThatNamesEveryWay() throws IOException {
        RunningServer.Answer answer = server.get("/v1/me");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.code()).isEqualTo(16);
        assertThat(answer.response().headers().allValues("WWW-Authenticate"))
                .containsExactly(
                        "Bearer realm=\"catalog\"",
                        "ApiKey realm=\"catalog\", header=\"x-api-key\"",
                        "Service realm=\"catalog\"");
        assertChallenged(asking("Authorization: Basic YW5uOnNlY3JldA=="));
    }

    @TestFactory
    List<DynamicTest> aTokenThatIsNotRightIsRefused() throws JOSEException {
        return bad().entrySet().stream()
                .map(token -> DynamicTest.dynamicTest(token.getKey(), () -> {
                    RawHttp.Answer answer = asking("Authorization: Bearer " + token.getValue());
                    assertChallenged(answer);
                    assertThat(answer.header("www-authenticate")).contains("error=\"invalid_token\"");
                }))
                .toList();
    }

    private Map<String, String> bad() throws JOSEException {
        Map<String, String> bad = new LinkedHashMap<>();
        String good = tokens.token("ann");
        bad.put(
                "over",
                tokens.signed(tokens.claims("ann").expirationTime(in(-70)).build()));
        bad.put(
                "too early",
                tokens.signed(tokens.claims("ann").notBeforeTime(in(70)).build()));
        bad.put(
                "without an end",
                tokens.signed(tokens.claims("ann").expirationTime(null).build()));
        bad.put(
                "end before its beginning",
                tokens.signed(tokens.claims("ann").issueTime(in(700)).build()));
        bad.put(
                "for somebody else",
                tokens.signed(tokens.claims("ann").audience("other").build()));
        bad.put(
                "for nobody",
                tokens.signed(tokens.claims("ann").audience((String) null).build()));
        bad.put(
                "of an unknown issuer",
                tokens.signed(
                        tokens.claims("ann").issuer("https://evil.example.com").build()));
        bad.put("of no issuer", tokens.signed(tokens.claims("ann").issuer(null).build()));
        bad.put(
                "of the issuer with a slash more",
                tokens.signed(tokens.claims("ann").issuer(tokens.issuer() + "/").build()));
        bad.put(
                "without a subject",
                tokens.signed(tokens.claims("ann").subject(null).build()));
        bad.put("with a blank subject", tokens.signed(tokens.claims(" ").build()));
        bad.put(
                "with a subject that is too long",
                tokens.signed(tokens.claims("a".repeat(201)).build()));
        bad.put("of another type", typed("logout+jwt"));
        bad.put("without a signature", new PlainJWT(tokens.claims("ann").build()).serialize());
        bad.put("with its signature cut off", good.substring(0, good.lastIndexOf('.') + 1));
        bad.put("with another payload", forged(good));
        bad.put(
                "signed by HS256 with the public key",
                withTheKeyAsSecret(tokens.mainKey().toPublicKey().getEncoded()));
        bad.put(
                "signed by HS256 with the published key",
                withTheKeyAsSecret(tokens.mainKey().toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
        bad.put("signed by a key of another issuer", by(tokens.partnerKey(), "main"));
        bad.put("signed by a key of another issuer under its name", by(tokens.partnerKey(), "partner"));
        bad.put("signed by a key that nobody knows", by(new RSAKeyGenerator(2048).generate(), "main"));
        bad.put("signed by a key that it carries itself", carrying());
        bad.put("encrypted", encrypted());
        bad.put("nothing", "");
        bad.put("not a token", "ann");
        bad.put("dots", "..");
        bad.put("more dots", "a.b.c.d.e.f");
        bad.put("not JSON", "YQ.YQ.YQ");
        bad.put("deep", encoded("[".repeat(9_000)) + "." + encoded("{}") + ".YQ");
        bad.put("deep within", encoded("{\"alg\":\"RS256\",\"x\":" + "[".repeat(9_000)) + "." + encoded("{}") + ".YQ");
        bad.put("deep claims", encoded("{\"alg\":\"RS256\"}") + "." + encoded("{\"a\":".repeat(3_000)) + ".YQ");
        bad.put("two tokens", good + " " + good);
        bad.put("an API key", "rask_" + "0".repeat(28) + "_" + "A".repeat(43));
        return bad;
    }

    private String typed(String type) {
        return TokenServer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256)
                        .keyID("main")
                        .type(new JOSEObjectType(type))
                        .build(),
                tokens.claims("ann").build(),
                tokens.mainKey());
    }

    private String forged(String good) {
        String[] parts = good.split("\\.", -1);
        String claims = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        return parts[0] + "." + encoded(claims.replace("\"ann\"", "\"root\"")) + "." + parts[2];
    }

    private String withTheKeyAsSecret(byte[] secret) throws JOSEException {
        SignedJWT token = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("main").build(),
                tokens.claims("ann").build());
        token.sign(new MACSigner(secret));
        return token.serialize();
    }

    private String by(RSAKey key, String id) {
        return TokenServer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(id).build(),
                tokens.claims("ann").build(),
                key);
    }

    private String carrying() throws JOSEException {
        RSAKey key = new RSAKeyGenerator(2048).keyID("main").generate();
        return TokenServer.signed(
                new JWSHeader.Builder(JWSAlgorithm.RS256).jwk(key.toPublicJWK()).build(),
                tokens.claims("ann").build(),
                key);
    }

    private String encrypted() throws JOSEException {
        EncryptedJWT token = new EncryptedJWT(
                new JWEHeader(JWEAlgorithm.RSA_OAEP_256, EncryptionMethod.A128GCM),
                tokens.claims("ann").build());
        token.encrypt(new RSAEncrypter(tokens.mainKey().toRSAPublicKey()));
        return token.serialize();
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aTokenIsTakenWithinTheLeewayOfItsTimes() {
        JWTClaimsSet over = tokens.claims("ann").expirationTime(in(-30)).build();
        JWTClaimsSet early = tokens.claims("ann").notBeforeTime(in(30)).build();
        assertThat(me(tokens.signed(over)).path("subject").asString()).isEqualTo("ann");
        assertThat(me(tokens.signed(early)).path("subject").asString()).isEqualTo("ann");
    }

    @ParameterizedTest
    @ValueSource(strings = {"JWT", "at+jwt", "application/at+jwt"})
    void theTypesOfAccessTokensAreTaken(String type) {
        assertThat(me(typed(type)).path("subject").asString()).isEqualTo("ann");
    }

    @Test
    void theSchemeIsReadInAnyCaseAndTheHeaderIsThereOnce() throws IOException {
        String token = tokens.token("ann");
        assertThat(asking("authorization: bearer   " + token).status()).isEqualTo(200);
        assertChallenged(asking("Authorization: Bearer " + token, "Authorization: Bearer " + token));
        assertChallenged(asking("Authorization: Bearer" + token));
    }

    @Test
    void onlyHeadersSayWhoAsks() throws IOException {
        String token = tokens.token("ann");
        String body = "{\"identity\":{\"auth_token\":\"" + token + "\",\"api_key\":\"" + AskingCatalog.CONFIGURED_KEY
                + "\"},\"context\":{\"header.authorization\":\"Bearer " + token + "\",\"header.x-api-key\":\""
                + AskingCatalog.CONFIGURED_KEY + "\"}}";
        assertChallenged(raw.post("/v1/namespace/$/list", body));
        assertChallenged(raw.post("/v1/projects", body));
        assertChallenged(raw.get("/v1/me?access_token=" + token + "&x-api-key=" + AskingCatalog.CONFIGURED_KEY));
        assertChallenged(asking("Cookie: Authorization=" + token));
    }

    @Test
    void credentialsOfTwoCallersAreRefusedAndThoseOfOneAreTaken() throws IOException {
        String key = "x-api-key: " + AskingCatalog.CONFIGURED_KEY;
        assertChallenged(asking("Authorization: Bearer " + tokens.token("ann"), key));
        assertChallenged(asking("Authorization: Bearer " + tokens.token("robot"), "x-api-key: wrong"));
        assertChallenged(asking("Authorization: Bearer wrong", key));
        RawHttp.Answer both = asking("Authorization: Bearer " + tokens.token("robot"), key);
        assertThat(both.json().path("identified_by").asString()).isEqualTo("token");
        assertThat(asking("Authorization: Basic YW5uOnNlY3JldA==", key).status())
                .isEqualTo(200);
    }

    @Test
    void theRefusalComesBeforeTheBodyIsRead() throws IOException {
        String head = "POST /v1/table/a$t/insert HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n"
                + "Expect: 100-continue\r\nConnection: close\r\n\r\n";
        assertChallenged(raw.raw(head, new byte[0]));
    }

    @Test
    void healthIsNotAskedAndNoDetourLeadsPast() throws IOException {
        for (String open : List.of("/livez", "/readyz", "/actuator/prometheus", "/actuator/health")) {
            assertThat(raw.get(open).status()).as(open).isEqualTo(200);
        }
        for (String path : Arrays.asList(
                "/v3/api-docs",
                "/swagger-ui/index.html",
                "/",
                "/no/such/route",
                "//v1/projects",
                "/livez/../v1/projects",
                "/livez;/v1/projects",
                "/actuator/../v1/projects",
                "/actuator/..;/v1/projects",
                "/actuator/%2e%2e/v1/projects",
                "/actuator/..%2Fv1/projects",
                "/actuator/..%5Cv1/projects",
                "/actuator//../v1/projects",
                "/actuator/x/../../v1/projects",
                "/management/v1/projects",
                "/v1/projects;/livez",
                "/v1/projects?/livez")) {
            RawHttp.Answer answer = raw.get(path);
            assertThat(answer.status()).as(path + " " + answer.text()).isIn(400, 401);
            assertThat(answer.text()).as(path).doesNotContain("\"projects\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ns1%24n%20s%2F2/describe",
                "ns1$n%20s/2/describe/",
                "ns;x$t/describe",
                "ns%3Bx$t/describe",
                "a%5Cb$t/describe",
                "a$b%25c/describe",
                "a%2F%2Fb$t/describe",
                "a//b$t/describe",
                "a+b$t/describe?delimiter=%24",
                "a$%2e%2e/describe",
                "a%00b/describe",
                "a%zz/describe"
            })
    void idsInEveryEncodingArriveOnceOneHasSaidWhoAsks(String target) throws IOException {
        RawHttp.Answer unknown = raw.post("/v1/table/" + target, "");
        // What the container cannot read at all it refuses before anybody is asked.
        assertThat(unknown.status()).as(unknown.text()).isIn(400, 401);
        RawHttp.Answer known = raw.post("/v1/table/" + target, "", "Authorization: Bearer " + tokens.token("ann"));
        assertThat(known.header("content-type")).startsWith("application/problem+json");
        assertThat(known.status()).as(known.text()).isIn(400, 404);
        assertThat(known.status() == 404 || unknown.status() == 401 || unknown.code() == 13)
                .as(known.text())
                .isTrue();
    }
}
