package io.rask.catalog.jobs;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Conditions on the columns of a small table, in the spelling of SQL: comparisons, {@code IN}, {@code IS NULL}, {@code AND}, {@code
 * OR}, {@code NOT} and parentheses. A comparison with a null is unknown, and only what is true passes, as in SQL.
 */
final class EventFilter {
    private static final int MOST_CHARACTERS = 4096;
    private static final int MOST_TOKENS = 500;
    private static final int MOST_DEPTH = 32;
    private static final Pattern TOKEN = Pattern.compile(
            "\\s*(?:(?<text>'(?:[^']|'')*')|(?<number>-?\\d{1,18})|(?<word>[A-Za-z_][A-Za-z0-9_]*|\"[^\"]+\"|`[^`]+`)"
                    + "|(?<sign><=|>=|<>|!=|=|<|>|\\(|\\)|,))");

    /** Gives the value of a column for a row: a text, a number, or null. */
    @FunctionalInterface
    interface Row {
        @Nullable
        Object value(String column);
    }

    /** True, false, or null for unknown. */
    @FunctionalInterface
    private interface Condition {
        @Nullable
        Boolean test(Row row);
    }

    private final Set<String> columns;
    private final List<String> tokens;
    private int next;
    private int depth;

    private EventFilter(Set<String> columns, List<String> tokens) {
        this.columns = columns;
        this.tokens = tokens;
    }

    /**
     * Reads a filter.
     *
     * @throws CatalogException code 13, saying what does not fit
     */
    static Predicate<Row> parse(String text, Set<String> columns) {
        EventFilter filter = new EventFilter(columns, tokens(text));
        Condition condition = filter.or();
        if (filter.next < filter.tokens.size()) {
            throw unfit("'" + filter.tokens.get(filter.next) + "' is not expected there");
        }
        return row -> Boolean.TRUE.equals(condition.test(row));
    }

    private static List<String> tokens(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw unfit("it is longer than " + MOST_CHARACTERS + " characters");
        }
        List<String> tokens = new ArrayList<>();
        String stripped = text.strip();
        Matcher matcher = TOKEN.matcher(stripped);
        int at = 0;
        while (at < stripped.length()) {
            if (!matcher.find(at) || matcher.start() != at || tokens.size() == MOST_TOKENS) {
                throw unfit("it cannot be read from position " + at + " on");
            }
            tokens.add(matcher.group().strip());
            at = matcher.end();
        }
        return tokens;
    }

    private Condition or() {
        if (++depth > MOST_DEPTH) {
            throw unfit("it is nested too deeply");
        }
        Condition left = and();
        while (accept("OR")) {
            left = either(left, and());
        }
        depth--;
        return left;
    }

    private Condition and() {
        Condition left = not();
        while (accept("AND")) {
            left = both(left, not());
        }
        return left;
    }

    private Condition not() {
        int negations = 0;
        while (accept("NOT")) {
            negations++;
        }
        Condition inner = primary();
        return negations % 2 == 0 ? inner : negated(inner);
    }

    private Condition primary() {
        if (accept("(")) {
            Condition inner = or();
            expect(")");
            return inner;
        }
        String column = column();
        if (accept("IS")) {
            boolean negated = accept("NOT");
            expect("NULL");
            return row -> (row.value(column) == null) != negated;
        }
        boolean negated = accept("NOT");
        if (accept("IN")) {
            Condition in = in(column);
            return negated ? negated(in) : in;
        }
        if (negated) {
            throw unfit("NOT before a comparison stands before its column");
        }
        return comparison(column);
    }

    private Condition in(String column) {
        expect("(");
        List<Object> values = new ArrayList<>();
        do {
            values.add(literal());
        } while (accept(","));
        expect(")");
        return row -> {
            Object value = row.value(column);
            return value == null ? null : values.stream().anyMatch(one -> order(value, one) == 0);
        };
    }

    private Condition comparison(String column) {
        String sign = take();
        Object literal = literal();
        Function<Integer, Boolean> holds = switch (sign) {
            case "=" -> order -> order == 0;
            case "!=", "<>" -> order -> order != 0;
            case "<" -> order -> order < 0;
            case "<=" -> order -> order <= 0;
            case ">" -> order -> order > 0;
            case ">=" -> order -> order >= 0;
            default -> throw unfit("'" + sign + "' is no comparison");
        };
        return row -> {
            Object value = row.value(column);
            return value == null ? null : holds.apply(order(value, literal));
        };
    }

    private static int order(Object value, Object literal) {
        if (value instanceof Long number && literal instanceof Long other) {
            return Long.compare(number, other);
        }
        if (value instanceof Long || literal instanceof Long) {
            throw unfit("it compares a number with a text");
        }
        return value.toString().compareTo(literal.toString());
    }

    private String column() {
        String word = take();
        String name = word.startsWith("\"") || word.startsWith("`") ? word.substring(1, word.length() - 1) : word;
        if (!columns.contains(name)) {
            throw unfit("'" + name + "' is none of the columns " + String.join(", ", columns));
        }
        return name;
    }

    private Object literal() {
        String token = take();
        if (token.startsWith("'")) {
            return token.substring(1, token.length() - 1).replace("''", "'");
        }
        try {
            return Long.valueOf(token);
        } catch (NumberFormatException e) {
            throw unfit("'" + token + "' is neither a text in single quotes nor a whole number");
        }
    }

    private boolean accept(String word) {
        if (next < tokens.size() && tokens.get(next).toUpperCase(Locale.ROOT).equals(word)) {
            next++;
            return true;
        }
        return false;
    }

    private void expect(String word) {
        if (!accept(word)) {
            throw unfit("'" + word + "' is missing");
        }
    }

    private String take() {
        if (next == tokens.size()) {
            throw unfit("it ends too early");
        }
        return tokens.get(next++);
    }

    private static Condition negated(Condition inner) {
        return row -> {
            Boolean value = inner.test(row);
            return value == null ? null : !value;
        };
    }

    private static Condition both(Condition left, Condition right) {
        return row -> {
            Boolean one = left.test(row);
            Boolean other = right.test(row);
            if (Boolean.FALSE.equals(one) || Boolean.FALSE.equals(other)) {
                return false;
            }
            return one == null || other == null ? null : Boolean.TRUE;
        };
    }

    private static Condition either(Condition left, Condition right) {
        return negated(both(negated(left), negated(right)));
    }

    private static CatalogException unfit(String what) {
        return CatalogException.invalid("The filter is not usable: " + what + ".");
    }
}
