package io.rask.catalog.lance;

import io.rask.catalog.lance.SqlTokens.Kind;
import io.rask.catalog.lance.SqlTokens.Token;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A SQL expression from outside: a filter, a predicate, or the new value of a column. It is one expression and cannot be more:
 * no statement, subquery, comment or unbalanced bracket, so it may be put inside a larger text. Single quotes make strings;
 * double quotes and back-ticks name columns. Functions come from a list, because some others end the process or take memory
 * without bound.
 *
 * <p>Bounds, within which the engine was measured to stay inside its stacks: {@value #MAX_LENGTH} characters,
 * {@value #MAX_DEPTH} nested brackets, {@value #MAX_CONNECTIVES} times AND and OR, {@value #MAX_COMPARISONS} comparisons,
 * {@value #MAX_OPERATORS} other operators, casts and function arguments, {@value #MAX_BRANCHES} branches of CASE.
 */
final class SqlText {
    static final int MAX_LENGTH = 1 << 20;
    static final int MAX_DEPTH = 40;
    static final int MAX_CONNECTIVES = 499;
    static final int MAX_COMPARISONS = 1_000;
    static final int MAX_OPERATORS = 200;
    static final int MAX_BRANCHES = 100;
    private static final int MAX_PATTERN_TEXT = 4_096;

    private final List<Token> tokens;
    private final Counts counts = new Counts();

    /** What the walk has counted. */
    private static final class Counts {
        private int connectives;
        private int comparisons;
        private int operators;
        private int branches;
        private int growing;
        private int literals;
    }

    private SqlText(List<Token> tokens) {
        this.tokens = tokens;
    }

    /** @throws io.rask.catalog.problem.CatalogException code 13 when the text is not one bounded expression */
    static SqlText of(String sql) {
        if (sql.length() > MAX_LENGTH) {
            throw SqlTokens.invalid("it is longer than " + MAX_LENGTH + " characters");
        }
        List<Token> tokens = SqlTokens.of(sql);
        if (tokens.isEmpty()) {
            throw SqlTokens.invalid("it is empty");
        }
        SqlText text = new SqlText(tokens);
        text.check();
        return text;
    }

    /** Whether a column of that name, in any case, may be meant somewhere. */
    boolean names(String column) {
        return tokens.stream()
                .anyMatch(token -> (token.kind() == Kind.WORD || token.kind() == Kind.QUOTED_NAME)
                        && token.text().equalsIgnoreCase(column));
    }

    private void check() {
        Deque<String> open = new ArrayDeque<>();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            switch (token.kind()) {
                case SYMBOL -> symbol(token, i, open, counts);
                case WORD -> word(token, i, open, counts);
                case STRING -> counts.literals += token.text().length();
                case QUOTED_NAME -> checkName(token, i);
                case NUMBER -> {}
            }
        }
        if (!open.isEmpty()) {
            throw SqlTokens.invalid("a bracket is not closed");
        }
        checkBounds(counts);
    }

    /**
     * Bounds expressions that are computed side by side as if they were one: each may make rows as many times larger.
     *
     * @throws io.rask.catalog.problem.CatalogException code 13
     */
    static void requireTogether(Collection<SqlText> all) {
        bound(
                all.stream().mapToInt(text -> text.counts.operators).sum(),
                MAX_OPERATORS,
                "operators and function arguments with the other expressions");
        bound(
                all.stream().mapToInt(text -> text.counts.growing).sum(),
                1,
                "call of replace, regexp_replace, concat_ws or array_to_string with the other expressions");
    }

    private static void checkBounds(Counts counts) {
        bound(counts.connectives, MAX_CONNECTIVES, "times AND and OR; use IN for long lists of values");
        bound(counts.comparisons, MAX_COMPARISONS, "comparisons");
        bound(counts.operators, MAX_OPERATORS, "operators and function arguments");
        bound(counts.branches, MAX_BRANCHES, "branches of CASE");
        bound(counts.growing, 1, "call of replace, regexp_replace, concat_ws or array_to_string");
        if (counts.growing > 0) {
            bound(counts.literals, MAX_PATTERN_TEXT, "characters of text next to replace or regexp_replace");
        }
    }

    private static void bound(int count, int most, String what) {
        if (count > most) {
            throw SqlTokens.invalid("it has more than " + most + " " + what);
        }
    }

    private void symbol(Token token, int index, Deque<String> open, Counts counts) {
        switch (token.text()) {
            case "(" -> push(open, functionBefore(index));
            case "[" -> push(open, "[");
            case ")" -> close(open, false);
            case "]" -> close(open, true);
            case "," -> counts.operators += open.isEmpty() || isList(open.peek()) ? 0 : 1;
            case "." -> {}
            case "=", "==", "<", ">", "<=", ">=", "<>", "!=" -> counts.comparisons++;
            case "-" -> counts.operators += isSign(index) ? 0 : 1;
            case ":" -> throw SqlTokens.invalid("a single colon has no place outside quotes");
            default -> counts.operators++;
        }
        if (token.is(",") && open.isEmpty()) {
            throw SqlTokens.invalid("a comma stands outside brackets");
        }
    }

    private static boolean isList(String bracket) {
        return bracket.equals("in") || bracket.equals("[");
    }

    /** A minus that belongs to a number. */
    private boolean isSign(int index) {
        if (index == 0 || index + 1 == tokens.size() || tokens.get(index + 1).kind() != Kind.NUMBER) {
            return false;
        }
        Token before = tokens.get(index - 1);
        return before.kind() == Kind.SYMBOL && !before.is(")") && !before.is("]") && !before.is("-");
    }

    private static void push(Deque<String> open, String bracket) {
        if (open.size() >= MAX_DEPTH) {
            throw SqlTokens.invalid("brackets are nested more than " + MAX_DEPTH + " deep");
        }
        open.push(bracket);
    }

    private static void close(Deque<String> open, boolean square) {
        if (open.isEmpty() || open.pop().equals("[") != square) {
            throw SqlTokens.invalid("brackets do not match");
        }
    }

    /** The function or keyword in front of a bracket, or an empty text. */
    private String functionBefore(int index) {
        if (index == 0) {
            return "";
        }
        Token before = tokens.get(index - 1);
        if (before.kind() == Kind.QUOTED_NAME) {
            throw SqlTokens.invalid("a quoted name is used as a function");
        }
        return before.kind() == Kind.WORD ? before.text().toLowerCase(Locale.ROOT) : "";
    }

    private void word(Token token, int index, Deque<String> open, Counts counts) {
        String word = token.text().toLowerCase(Locale.ROOT);
        boolean partOfPath = index > 0 && tokens.get(index - 1).is(".");
        boolean calls = index + 1 < tokens.size() && tokens.get(index + 1).is("(");
        if (SqlWords.STATEMENTS.contains(word) && !partOfPath) {
            throw SqlTokens.invalid("it holds the keyword " + word.toUpperCase(Locale.ROOT)
                    + "; one expression without statements and subqueries is expected (quote it if it names a column)");
        }
        if (calls && (partOfPath || !(SqlWords.NO_FUNCTIONS.contains(word) || SqlWords.FUNCTIONS.contains(word)))) {
            throw SqlTokens.invalid("the function " + word + " is not available");
        }
        if (word.equals("from") && !mayHaveFrom(index, open)) {
            throw SqlTokens.invalid("FROM has no place here; quote it if it names a column");
        }
        count(word, calls, counts);
    }

    private boolean mayHaveFrom(int index, Deque<String> open) {
        boolean distinct = index > 0 && tokens.get(index - 1).isWord("distinct");
        return distinct || (!open.isEmpty() && SqlWords.TAKES_FROM.contains(open.peek()));
    }

    private static void count(String word, boolean calls, Counts counts) {
        if (word.equals("and") || word.equals("or")) {
            counts.connectives++;
        } else if (SqlWords.COMPARING.contains(word)) {
            counts.comparisons++;
        } else if (word.equals("when")) {
            counts.branches++;
        } else if (word.equals("not") || calls) {
            counts.operators += SqlWords.NO_FUNCTIONS.contains(word) && !word.equals("not") ? 0 : 1;
        }
        if (calls && SqlWords.GROWING.contains(word)) {
            counts.growing++;
        }
    }

    private void checkName(Token token, int index) {
        if (token.text().isEmpty() || token.text().indexOf('`') >= 0) {
            throw SqlTokens.invalid("a quoted name is empty or holds a back-tick");
        }
        if (index > 0 && tokens.get(index - 1).kind() == Kind.QUOTED_NAME) {
            throw SqlTokens.invalid("two names stand side by side");
        }
    }

    /** The names of columns that stand behind a qualifier, such as {@code a} in {@code source.a}. */
    List<String> qualified(String qualifier) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i + 2 < tokens.size(); i++) {
            if (isQualifier(i, qualifier)) {
                names.add(tokens.get(i + 2).text());
            }
        }
        return names;
    }

    /** The expression with columns named by themselves where they stood behind the qualifier. */
    SqlText withoutQualifier(String qualifier) {
        List<Token> left = new ArrayList<>();
        for (int i = 0; i < tokens.size(); i++) {
            if (isQualifier(i, qualifier)) {
                i++;
            } else {
                left.add(tokens.get(i));
            }
        }
        return new SqlText(left);
    }

    private boolean isQualifier(int index, String qualifier) {
        Token token = tokens.get(index);
        boolean named = token.isWord(qualifier)
                || (token.kind() == Kind.QUOTED_NAME && token.text().equalsIgnoreCase(qualifier));
        boolean begins = index == 0 || !tokens.get(index - 1).is(".");
        return named
                && begins
                && index + 2 < tokens.size()
                && tokens.get(index + 1).is(".");
    }

    /** The text for filters of scans: the engine reads words without regard to case and needs back-ticks around names. */
    String forFilter() {
        return written(List.of());
    }

    /**
     * The text for SELECT, which takes words without quotes for lower case: those that name a column otherwise are quoted.
     *
     * @param names every name of the table, of columns and of fields inside them
     */
    String forSelect(Collection<String> names) {
        return written(names);
    }

    private String written(Collection<String> names) {
        StringBuilder sql = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++) {
            Token token = tokens.get(i);
            boolean joined = token.is(".") || (i > 0 && tokens.get(i - 1).is("."));
            boolean call = token.is("(") && i > 0 && tokens.get(i - 1).kind() == Kind.WORD;
            if (i > 0 && !joined && !call) {
                sql.append(' ');
            }
            boolean called = i + 1 < tokens.size() && tokens.get(i + 1).is("(");
            sql.append(written(token, called, names));
        }
        return sql.toString();
    }

    private static String written(Token token, boolean called, Collection<String> names) {
        return switch (token.kind()) {
            case STRING -> "'" + token.text().replace("'", "''") + "'";
            case QUOTED_NAME -> quoted(token.text());
            case WORD -> {
                String name = called ? null : column(token.text(), names);
                yield name == null ? token.text() : quoted(name);
            }
            case NUMBER, SYMBOL -> token.text();
        };
    }

    /** The column a word means, if the engine would not find it by the word as it stands. */
    private static @Nullable String column(String word, Collection<String> names) {
        if (names.contains(word)) {
            return word.equals(word.toLowerCase(Locale.ROOT)) ? null : word;
        }
        return names.stream()
                .filter(name -> name.equalsIgnoreCase(word) && !name.equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElse(null);
    }

    /** A name in back-ticks, which both grammars of the engine take for a column. */
    static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    @Override
    public String toString() {
        return forFilter();
    }
}
