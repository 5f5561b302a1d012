package io.rask.catalog.lance;

import io.rask.catalog.problem.Redaction;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a native failure says about a request's own input, without the library's wrappings; {@link Redaction} takes out what must
 * not leave the server.
 */
final class NativeText {
    private static final int LONGEST = 300;
    /** Such a text may repeat a client's whole input, and searching takes more than linear time. */
    private static final int LONGEST_SEARCHED = 4_000;

    private static final Pattern WRAPPING = Pattern.compile(
            "(?:java[/.][\\w/.]+: |Namespace error: |Failed to (?:explain|analyze) query plan for table at '[^']*': |LanceError\\(\\w+\\): |Invalid user input: |External error: |Error during planning: "
                    + "|Query Execution error: |Execution error: |Arrow error: |\\[errno \\d+] |CDataJniException\\{errno=\\d+, message="
                    + "|Encountered internal error\\. Please file a bug report at \\S+ |Schema error: |Error applying filter expression to batch: )");

    /** Lines that only name a step of the planner. */
    private static final Set<String> UNTOLD = Set.of("type_coercion", "caused by", "");

    private NativeText() {}

    static String reason(Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        text = text.substring(0, Math.min(text.length(), LONGEST_SEARCHED));
        text = text.lines()
                .filter(line ->
                        !UNTOLD.contains(WRAPPING.matcher(line).replaceAll("").strip()))
                .findFirst()
                .orElse("");
        text = Redaction.redact(WRAPPING.matcher(text).replaceAll(""));
        int end = text.length();
        while (end > 0 && ".} \t\r".indexOf(text.charAt(end - 1)) >= 0) {
            end--;
        }
        return end > LONGEST ? text.substring(0, LONGEST) + "…" : text.substring(0, end);
    }
}
