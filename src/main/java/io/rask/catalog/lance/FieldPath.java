package io.rask.catalog.lance;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The way to a field: segments joined by dots. A segment with a dot in it stands in back-ticks, and a back-tick inside those is
 * doubled.
 */
record FieldPath(List<String> segments) {
    /** @throws CatalogException code 13 for an empty segment or an open quote */
    static FieldPath of(String text) {
        List<String> segments = new ArrayList<>();
        int at = 0;
        while (true) {
            StringBuilder segment = new StringBuilder();
            at = at < text.length() && text.charAt(at) == '`'
                    ? quotedSegment(text, at, segment)
                    : plainSegment(text, at, segment);
            if (segment.isEmpty()) {
                throw malformed(text);
            }
            segments.add(segment.toString());
            if (at == text.length()) {
                return new FieldPath(List.copyOf(segments));
            }
            if (text.charAt(at) != '.') {
                throw malformed(text);
            }
            at++;
        }
    }

    private static int plainSegment(String text, int from, StringBuilder segment) {
        int dot = text.indexOf('.', from);
        int end = dot < 0 ? text.length() : dot;
        segment.append(text, from, end);
        return end;
    }

    private static int quotedSegment(String text, int from, StringBuilder segment) {
        for (int i = from + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '`') {
                segment.append(c);
            } else if (i + 1 < text.length() && text.charAt(i + 1) == '`') {
                segment.append(c);
                i++;
            } else {
                return i + 1;
            }
        }
        throw malformed(text);
    }

    /** The field at the end of the path, if the schema has it; letter case counts. */
    Optional<Field> find(Schema schema) {
        List<Field> fields = schema.getFields();
        Field found = null;
        for (String segment : segments) {
            found = fields.stream()
                    .filter(field -> field.getName().equals(segment))
                    .findFirst()
                    .orElse(null);
            if (found == null) {
                return Optional.empty();
            }
            fields = found.getChildren();
        }
        return Optional.ofNullable(found);
    }

    /** @throws CatalogException code 12 when the schema has no such field */
    Field in(Schema schema) {
        return find(schema)
                .orElseThrow(() -> CatalogException.of(
                        ErrorCode.TABLE_COLUMN_NOT_FOUND, "The table has no column '" + shown() + "'."));
    }

    /** Every name among columns and the fields inside them. */
    static Set<String> names(List<Field> fields) {
        Set<String> names = new HashSet<>();
        for (Field field : fields) {
            names.add(field.getName());
            names.addAll(names(field.getChildren()));
        }
        return names;
    }

    /** The path as the engine's SQL takes it. */
    String sql() {
        return segments.stream().map(SqlText::quoted).collect(Collectors.joining("."));
    }

    /** The path as a scan takes it: quoted only where a segment would be read as something else. */
    String scan() {
        return segments.size() == 1 ? segments.get(0) : sql();
    }

    /** The path as it is told to clients: back-ticks only where they are needed. */
    String canonical() {
        return segments.stream()
                .map(segment -> segment.contains(".") || segment.contains("`") ? SqlText.quoted(segment) : segment)
                .collect(Collectors.joining("."));
    }

    private String shown() {
        String path = String.join(".", segments);
        return path.length() > 120 ? path.substring(0, 120) + "…" : path;
    }

    private static CatalogException malformed(String text) {
        String shown = text.length() > 120 ? text.substring(0, 120) + "…" : text;
        return CatalogException.invalid("The field path '" + shown + "' is malformed.");
    }
}
