package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts SQL text from outside into tokens. Only the plain forms pass: the engine aborts the process on literals and placeholders
 * it does not know ({@code b'…'}, {@code $$…$$}, {@code ?}), and silently drops what follows a semicolon.
 */
final class SqlTokens {
    private static final String SYMBOLS = "()[],.:+-*/%<>=!|";

    /** What a token is. */
    enum Kind {
        WORD,
        QUOTED_NAME,
        STRING,
        NUMBER,
        SYMBOL
    }

    /**
     * @param text a word or number as written, a name or string without its quotes, or a symbol of one or two characters
     */
    record Token(Kind kind, String text) {
        boolean is(String symbol) {
            return kind == Kind.SYMBOL && text.equals(symbol);
        }

        boolean isWord(String word) {
            return kind == Kind.WORD && text.equalsIgnoreCase(word);
        }
    }

    private final String sql;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private SqlTokens(String sql) {
        this.sql = sql;
    }

    /** @throws CatalogException code 13 for anything but words, names, strings, numbers and the usual operators */
    static List<Token> of(String sql) {
        SqlTokens scanner = new SqlTokens(sql);
        while (scanner.at < sql.length()) {
            scanner.next();
        }
        return scanner.tokens;
    }

    private void next() {
        char c = sql.charAt(at);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            at++;
        } else if (c == '\'') {
            add(Kind.STRING, quoted('\''));
        } else if (c == '"' || c == '`') {
            add(Kind.QUOTED_NAME, quoted(c));
        } else if (isDigit(c) || c == '.' && at + 1 < sql.length() && isDigit(sql.charAt(at + 1))) {
            number();
        } else if (Character.isLetter(c) || c == '_') {
            word();
        } else if (SYMBOLS.indexOf(c) >= 0) {
            symbol();
        } else {
            throw invalid("the character " + shown(c) + " has no place outside quotes");
        }
    }

    private String quoted(char quote) {
        StringBuilder text = new StringBuilder();
        for (int i = at + 1; i < sql.length(); i++) {
            char c = sql.charAt(i);
            if (c == 0) {
                throw invalid("it holds a character 0");
            }
            if (c != quote) {
                text.append(c);
            } else if (i + 1 < sql.length() && sql.charAt(i + 1) == quote) {
                text.append(c);
                i++;
            } else {
                at = i + 1;
                return text.toString();
            }
        }
        throw invalid("a quote is not closed");
    }

    private void word() {
        int end = at;
        while (end < sql.length() && (Character.isLetterOrDigit(sql.charAt(end)) || sql.charAt(end) == '_')) {
            end++;
        }
        if (end < sql.length() && sql.charAt(end) == '\'') {
            throw invalid("a string must not have a prefix; leave a space before its quote");
        }
        add(Kind.WORD, sql.substring(at, end));
        at = end;
    }

    private void number() {
        int end = at;
        while (end < sql.length() && (isDigit(sql.charAt(end)) || sql.charAt(end) == '.')) {
            end++;
        }
        if (end < sql.length() && (sql.charAt(end) == 'e' || sql.charAt(end) == 'E')) {
            end++;
            if (end < sql.length() && (sql.charAt(end) == '+' || sql.charAt(end) == '-')) {
                end++;
            }
            while (end < sql.length() && isDigit(sql.charAt(end))) {
                end++;
            }
        }
        if (end < sql.length() && (Character.isLetter(sql.charAt(end)) || sql.charAt(end) == '_')) {
            throw invalid("a number is followed by a letter");
        }
        add(Kind.NUMBER, sql.substring(at, end));
        at = end;
    }

    private void symbol() {
        String two = at + 2 <= sql.length() ? sql.substring(at, at + 2) : "";
        switch (two) {
            case "--", "/*", "*/" -> throw invalid("comments are not accepted (write a space between two minus signs)");
            case "<=", ">=", "<>", "!=", "==", "||", "::" -> add(Kind.SYMBOL, two);
            default -> add(Kind.SYMBOL, sql.substring(at, at + 1));
        }
        Token added = tokens.getLast();
        if (added.is("|") || added.is("!")) {
            throw invalid("the operator " + added.text() + " is not accepted");
        }
        at += added.text().length();
    }

    private void add(Kind kind, String text) {
        tokens.add(new Token(kind, text));
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static String shown(char c) {
        return c > ' ' && c < 127 ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }

    static CatalogException invalid(String reason) {
        return CatalogException.invalid("The SQL expression is not accepted: " + reason + ".");
    }
}
