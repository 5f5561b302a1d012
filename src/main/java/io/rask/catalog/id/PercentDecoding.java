package io.rask.catalog.id;

import io.rask.catalog.problem.CatalogException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict percent decoding: a broken escape, bytes that are not UTF-8 and characters outside ASCII are code 13, never guessed at. */
public final class PercentDecoding {
    private PercentDecoding() {}

    /** Decodes a piece of a path, where {@code +} is a plus sign. */
    public static String path(String raw) {
        return decode(raw, false);
    }

    /** Decodes form encoding, where {@code +} is a space. */
    public static String form(String raw) {
        return decode(raw, true);
    }

    private static String decode(String raw, boolean plusIsSpace) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.write(escape(raw, i));
                i += 2;
            } else if (c > 0x7f) {
                throw CatalogException.invalid(
                        "The request address holds a character outside ASCII; percent-encode it.");
            } else {
                bytes.write(plusIsSpace && c == '+' ? ' ' : c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CatalogException.invalid("The request address is not valid UTF-8 after percent decoding.");
        }
    }

    private static int escape(String raw, int at) {
        int high = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 1), 16) : -1;
        int low = at + 2 < raw.length() ? Character.digit(raw.charAt(at + 2), 16) : -1;
        if (high < 0 || low < 0) {
            throw CatalogException.invalid("The request address has a '%' that does not start a valid escape.");
        }
        return high << 4 | low;
    }
}
