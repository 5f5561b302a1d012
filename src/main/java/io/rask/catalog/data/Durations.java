package io.rask.catalog.data;

import io.rask.catalog.problem.CatalogException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as clients write them: {@code 30s}, {@code 500ms}, {@code 1h 30m}, {@code 1.5s}, a bare number of seconds, and ISO 8601. */
final class Durations {
    private static final Pattern PART =
            Pattern.compile("\\s*(\\d{1,12}(?:\\.\\d{1,9})?)\\s*(ns|us|µs|ms|s|m|h|d|)(?![a-zµ])");
    private static final BigDecimal MOST_NANOS =
            BigDecimal.valueOf(Duration.ofDays(365).toNanos());

    private Durations() {}

    /** @throws CatalogException code 13 for anything else, and for nothing or less */
    static Duration parse(String name, String text) {
        Duration parsed = text.regionMatches(true, 0, "P", 0, 1) ? iso(name, text) : parts(name, text);
        if (parsed.isZero() || parsed.isNegative()) {
            throw malformed(name);
        }
        return parsed;
    }

    private static Duration iso(String name, String text) {
        try {
            return Duration.parse(text.strip());
        } catch (java.time.format.DateTimeParseException e) {
            throw malformed(name);
        }
    }

    private static Duration parts(String name, String text) {
        String left = text.strip().toLowerCase(Locale.ROOT);
        Matcher part = PART.matcher(left);
        BigDecimal nanos = BigDecimal.ZERO;
        int at = 0;
        while (at < left.length() && part.find(at) && part.start() == at) {
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit(part.group(2)))));
            at = part.end();
        }
        if (at == 0 || at < left.length() || nanos.compareTo(MOST_NANOS) > 0) {
            throw malformed(name);
        }
        return Duration.ofNanos(nanos.longValue());
    }

    private static long unit(String unit) {
        return switch (unit) {
            case "ns" -> 1;
            case "us", "µs" -> 1_000;
            case "ms" -> 1_000_000;
            case "m" -> Duration.ofMinutes(1).toNanos();
            case "h" -> Duration.ofHours(1).toNanos();
            case "d" -> Duration.ofDays(1).toNanos();
            default -> Duration.ofSeconds(1).toNanos();
        };
    }

    private static CatalogException malformed(String name) {
        return CatalogException.invalid(
                "The " + name + " is a duration such as 30s, 500ms or 1h, longer than nothing.");
    }
}
