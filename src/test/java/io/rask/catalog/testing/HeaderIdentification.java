package io.rask.catalog.testing;

import io.rask.catalog.access.Identification;
import io.rask.catalog.access.Principal;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.TreeSet;
import org.springframework.context.annotation.Primary;

/** Believes a header. Tests of rights need many callers and no provider of tokens. */
@Primary
public final class HeaderIdentification implements Identification {
    public static final String USER = "X-Test-User";
    public static final String TEAMS = "X-Test-Teams";
    /** Says that the caller came with a key, of whose groups nothing is known. */
    public static final String KEY = "X-Test-Key";

    @Override
    public Principal identify(HttpServletRequest request) {
        String user = request.getHeader(USER);
        if (user == null) {
            throw CatalogException.of(ErrorCode.UNAUTHENTICATED, "Say who you are.");
        }
        String teams = request.getHeader(TEAMS);
        Set<String> names = teams == null ? Set.of() : new TreeSet<>(Set.of(teams.split(",")));
        Principal.Means means = request.getHeader(KEY) == null ? Principal.Means.TOKEN : Principal.Means.API_KEY;
        return new Principal(user, means, names, null, null);
    }
}
