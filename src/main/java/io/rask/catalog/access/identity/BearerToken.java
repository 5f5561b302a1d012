package io.rask.catalog.access.identity;

import com.nimbusds.jwt.JWTParser;
import io.rask.catalog.access.Principal;
import io.rask.catalog.problem.CatalogException;
import jakarta.servlet.http.HttpServletRequest;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code Authorization: Bearer}, with a token of one of the providers. Other schemes of that header are somebody else's. */
final class BearerToken implements Credential {
    private static final String SCHEME = "Bearer";
    private static final String CHALLENGE = SCHEME + " realm=\"catalog\"";

    private final Map<String, TokenIssuer> issuers;

    /** @param issuers by what their tokens call them */
    BearerToken(Map<String, TokenIssuer> issuers) {
        this.issuers = Map.copyOf(issuers);
    }

    @Override
    public String challenge() {
        return CHALLENGE;
    }

    @Override
    public Optional<Principal> principal(HttpServletRequest request) {
        Optional<String> token = single(request, "Authorization").flatMap(BearerToken::token);
        if (token.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(issuerOf(token.get()).principal(token.get()));
        } catch (BadTokenException e) {
            String challenge =
                    CHALLENGE + ", error=\"invalid_token\", error_description=\"" + quotable(e.text()) + "\"";
            throw CatalogException.unauthenticated(
                    "The bearer token is refused: " + e.text() + ".", List.of(challenge));
        }
    }

    private static Optional<String> token(String header) {
        int blank = header.indexOf(' ');
        String scheme = blank < 0 ? header : header.substring(0, blank);
        return scheme.equalsIgnoreCase(SCHEME)
                ? Optional.of(blank < 0 ? "" : header.substring(blank + 1).strip())
                : Optional.empty();
    }

    /** Who the token says it is of, which only the check of its signature by that issuer's keys makes true. */
    private TokenIssuer issuerOf(String token) throws BadTokenException {
        @Nullable TokenIssuer issuer = issuers.get(claimedIssuer(token));
        if (issuer == null) {
            throw new BadTokenException("it is of no issuer that this server takes tokens of");
        }
        return issuer;
    }

    private static String claimedIssuer(String token) throws BadTokenException {
        try {
            return String.valueOf(JWTParser.parse(token).getJWTClaimsSet().getIssuer());
        } catch (ParseException | RuntimeException e) {
            throw new BadTokenException("it is no JSON web token", e);
        }
    }

    private static String quotable(String text) {
        return text.replaceAll("[^ !#-\\[\\]-~]", "");
    }
}
