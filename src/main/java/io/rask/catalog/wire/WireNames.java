package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Reads the closed vocabularies of the wire: {@code ExistOk}, {@code exist_ok}, {@code EXIST_OK} and {@code "ExistOk"} are one value. */
final class WireNames {
    private WireNames() {}

    /** The constant a text names; a text that names none is code 13. */
    static <E extends Enum<E>> E parse(Class<E> vocabulary, String text) {
        String wanted = plain(text);
        for (E constant : vocabulary.getEnumConstants()) {
            if (plain(constant.name()).equals(wanted)) {
                return constant;
            }
        }
        String known = Arrays.stream(vocabulary.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        throw CatalogException.invalid("The value is not one of " + known + ".");
    }

    private static String plain(String text) {
        return text.replace("\"", "").replace("_", "").strip().toLowerCase(Locale.ROOT);
    }
}
