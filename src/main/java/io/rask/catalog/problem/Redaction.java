package io.rask.catalog.problem;

import java.util.regex.Pattern;

/**
 * Takes out of a text what must not leave the server: file paths, storage addresses, credentials and source locations. It is for text
 * that was not written for clients, such as messages of the native library; it would rather take too much than too little.
 */
public final class Redaction {
    private static final int LONGEST = 1000;
    /** Searching takes more than linear time, so nothing longer is searched. */
    private static final int LONGEST_SEARCHED = 4 * LONGEST;

    /** {@code file:///a/b}, {@code s3://key:secret@bucket/x?token=…}: the whole address goes, not only its credentials. */
    private static final Pattern ADDRESS = Pattern.compile("\\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\\s\"'`,;)\\]}>]*");
    /** {@code /rustc/1.9/library/core/src/option.rs:12:3}, {@code object.rs:12} and the comma or word that leads to them. */
    private static final Pattern LOCATION = Pattern.compile(
            "(?:, ?| at | in | )?(?<![\\w./\\\\@~+-])[\\w./\\\\@~+-]{1,300}\\.(?:rs|java|cc|cpp|py):\\d{1,9}(?::\\d{1,9})?");

    private static final Pattern UNIX_PATH = Pattern.compile("(?<![\\w.:/])~?/[^\\s\"'`,;:)\\]}>]+");
    private static final Pattern WINDOWS_PATH = Pattern.compile("\\b[A-Za-z]:\\\\[^\\s\"'`,;)\\]}>]*");
    private static final Pattern SECRET = Pattern.compile(
            "(?i)(?<![\\w-])([\\w-]{0,60}(?:key|token|password|passwd|secret)(?:[_-]id)?)\\s{0,3}[=:]\\s{0,3}[\"']?[^\\s\"',;&)\\]}]+");
    private static final Pattern BEARER = Pattern.compile("(?i)\\b(Bearer|Basic)\\s+[\\w.~+/=-]+");

    private Redaction() {}

    /** The text without anything internal, at most 1000 characters long. */
    public static String redact(String text) {
        String searched = text.length() <= LONGEST_SEARCHED ? text : text.substring(0, LONGEST_SEARCHED);
        String clean = ADDRESS.matcher(searched).replaceAll("<address>");
        clean = LOCATION.matcher(clean).replaceAll("");
        clean = WINDOWS_PATH.matcher(clean).replaceAll("<path>");
        clean = UNIX_PATH.matcher(clean).replaceAll("<path>");
        clean = BEARER.matcher(clean).replaceAll("$1 <secret>");
        clean = SECRET.matcher(clean).replaceAll("$1=<secret>");
        return clean.length() <= LONGEST ? clean : clean.substring(0, LONGEST) + "…";
    }
}
