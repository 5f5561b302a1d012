package io.rask.catalog.table;

import io.rask.catalog.lance.CatalogKeys;
import io.rask.catalog.lance.ManifestProperties;
import io.rask.catalog.problem.CatalogException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The properties of a table as its row keeps them, and the marks of overwrites that are under way or were cut off. The properties are
 * those of the mark whose overwrite was the last that happened, if that has a mark, and else those of the row. In the row the marks are one
 * more property, which other tools tell and leave alone.
 *
 * @param properties those of the row, in its order
 * @param last the overwrite whose properties the row has got while marks of others were in it; so no state of a row comes twice, and
 *     whoever writes a row only as it was seen cannot take a later state for it
 */
public record MarkedProperties(
        Map<String, String> properties,
        List<OverwriteMark> marks,
        @Nullable String last) {
    private static final String MARKS = CatalogKeys.OWN + "overwrites";
    private static final JsonMapper JSON = JsonMapper.shared();

    record Stored(List<OverwriteMark> marks, @Nullable String last) {}

    public MarkedProperties {
        last = marks.isEmpty() ? null : last;
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
        marks = List.copyOf(marks);
    }

    /** Properties without any mark. */
    public static MarkedProperties of(Map<String, String> properties) {
        return new MarkedProperties(properties, List.of(), null);
    }

    /**
     * The text to store for properties that a client gives; null for none.
     *
     * @throws CatalogException as {@link #requireFree}
     */
    static @Nullable String given(Map<String, String> properties) {
        requireFree(properties);
        return ManifestProperties.write(properties);
    }

    /** Code 13 for a name that is the catalog's. */
    static void requireFree(Map<String, String> properties) {
        for (String name : properties.keySet()) {
            if (CatalogKeys.isReserved(name)) {
                throw CatalogException.invalid("The property '" + name + "' is reserved for the system.");
            }
        }
    }

    /** Reads what a row keeps. What only looks like marks is a property. */
    static MarkedProperties read(@Nullable String metadata) {
        Map<String, String> all = ManifestProperties.read(metadata);
        String marks = all.get(MARKS);
        if (marks == null) {
            return of(all);
        }
        try {
            Stored stored = JSON.readValue(marks, Stored.class);
            Map<String, String> others = new LinkedHashMap<>(all);
            others.remove(MARKS);
            return new MarkedProperties(others, stored.marks(), stored.last());
        } catch (JacksonException | NullPointerException e) {
            return of(all);
        }
    }

    /** The text to store; null for nothing. */
    @Nullable
    String write() {
        Map<String, String> all = new LinkedHashMap<>(properties);
        if (!marks.isEmpty()) {
            all.put(MARKS, JSON.writeValueAsString(new Stored(marks, last)));
        }
        return ManifestProperties.write(all);
    }

    /** With the mark of one more overwrite. */
    MarkedProperties with(OverwriteMark mark) {
        List<OverwriteMark> more = new ArrayList<>(marks);
        more.add(mark);
        return new MarkedProperties(properties, more, last);
    }

    /** Without the mark of an overwrite that never happens. */
    MarkedProperties without(OverwriteMark mark) {
        return new MarkedProperties(
                properties, marks.stream().filter(other -> !other.equals(mark)).toList(), last);
    }

    /**
     * What holds now.
     *
     * @param latest the last overwrite with a mark that has happened, as the table tells
     * @param oldest what was noted before this moment and has not happened never does
     */
    MarkedProperties after(Optional<String> latest, Instant oldest) {
        Optional<OverwriteMark> happened = marks.stream()
                .filter(mark -> latest.isPresent() && latest.get().equals(mark.transaction()))
                .findFirst();
        List<OverwriteMark> open = marks.stream()
                .filter(mark -> !happened.equals(Optional.of(mark)) && mark.at() > oldest.toEpochMilli())
                .toList();
        return happened.isPresent()
                ? new MarkedProperties(
                        happened.get().properties(), open, happened.get().transaction())
                : new MarkedProperties(properties, open, last);
    }
}
