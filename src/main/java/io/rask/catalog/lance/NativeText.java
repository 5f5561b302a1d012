package io.rask.catalog.lance;

import java.util.regex.Pattern;

/** What a native failure says about a request's own input, without paths, source locations and the library's wrappings. */
final class NativeText {
    private static final int LONGEST = 300;
    private static final Pattern SOURCE = Pattern.compile(",? ?/?[\\w./@-]+\\.rs:\\d+:\\d+");
    private static final Pattern PATH = Pattern.compile("(?<![\\w'\"`])(?:\\w+:/)?/[^\\s,'\")]+");
    private static final Pattern WRAPPING = Pattern.compile(
            "(?:java/[\\w/]+: |LanceError\\(\\w+\\): |Invalid user input: |External error: |Error during planning: "
                    + "|Query Execution error: |Execution error: |Arrow error: |\\[errno \\d+] |CDataJniException\\{errno=\\d+, message="
                    + "|Encountered internal error\\. Please file a bug report at \\S+ |Schema error: |Error applying filter expression to batch: )");

    private NativeText() {}

    static String reason(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        int line = text.indexOf('\n');
        text = line < 0 ? text : text.substring(0, line);
        text = SOURCE.matcher(text).replaceAll("");
        text = WRAPPING.matcher(text).replaceAll("");
        text = PATH.matcher(text).replaceAll("…");
        text = text.replaceAll("[.}\\s]+$", "");
        return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
    }
}
