package io.rask.catalog.clients;

import io.rask.catalog.clients.Dataset.Column;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The airports and movies of the npm package {@code vega-datasets}, read from the folder that {@code VEGA_DATASETS} names. Without
 * it, tables of the same shape are made up, and the output says so.
 */
final class VegaDatasets {
    private static final Pattern CSV_FIELD = Pattern.compile("(?:\"((?:[^\"]|\"\")*)\"|([^\",]*))(,|$)");
    private static final Column POSITION = new Column("row", Dataset.Type.INTEGER);

    private static final List<Column> AIRPORTS = List.of(
            POSITION,
            new Column("iata", Dataset.Type.TEXT),
            new Column("name", Dataset.Type.TEXT),
            new Column("city", Dataset.Type.TEXT),
            new Column("state", Dataset.Type.TEXT),
            new Column("country", Dataset.Type.TEXT),
            new Column("latitude", Dataset.Type.REAL),
            new Column("longitude", Dataset.Type.REAL));

    private static final List<Column> MOVIES = List.of(
            POSITION,
            new Column("Title", Dataset.Type.TEXT),
            new Column("US Gross", Dataset.Type.INTEGER),
            new Column("Worldwide Gross", Dataset.Type.INTEGER),
            new Column("US DVD Sales", Dataset.Type.INTEGER),
            new Column("Production Budget", Dataset.Type.INTEGER),
            new Column("Release Date", Dataset.Type.TEXT),
            new Column("MPAA Rating", Dataset.Type.TEXT),
            new Column("Running Time min", Dataset.Type.INTEGER),
            new Column("Distributor", Dataset.Type.TEXT),
            new Column("Source", Dataset.Type.TEXT),
            new Column("Major Genre", Dataset.Type.TEXT),
            new Column("Creative Type", Dataset.Type.TEXT),
            new Column("Director", Dataset.Type.TEXT),
            new Column("Rotten Tomatoes Rating", Dataset.Type.INTEGER),
            new Column("IMDB Rating", Dataset.Type.REAL),
            new Column("IMDB Votes", Dataset.Type.INTEGER));

    private VegaDatasets() {}

    static Stream<Dataset> all() {
        String folder = System.getenv("VEGA_DATASETS");
        if (folder == null) {
            System.out.println(
                    "VEGA_DATASETS IS NOT SET: the real clients run on MADE-UP tables, not on the real ones.");
        }
        List<List<@Nullable Object>> airports =
                folder == null ? made(AIRPORTS, 3376, "AK") : airports(Path.of(folder, "airports.csv"));
        List<List<@Nullable Object>> movies =
                folder == null ? made(MOVIES, 3201, "Drama") : movies(Path.of(folder, "movies.json"));
        return Stream.of(
                new Dataset("airports", AIRPORTS, airports, "state", "AK", "country"),
                new Dataset("movies", MOVIES, movies, "Major Genre", "Drama", "Source"));
    }

    private static List<List<@Nullable Object>> airports(Path file) {
        List<String> lines = read(file).lines().toList();
        List<String> header = fields(lines.getFirst());
        return lines.stream()
                .skip(1)
                .map(VegaDatasets::fields)
                .collect(
                        ArrayList::new,
                        (rows, fields) -> rows.add(row(
                                AIRPORTS,
                                rows.size(),
                                column -> value(column.type(), fields.get(header.indexOf(column.name()))))),
                        List::addAll);
    }

    private static List<List<@Nullable Object>> movies(Path file) {
        JsonNode records = JsonMapper.shared().readTree(read(file));
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (JsonNode record : records) {
            rows.add(row(MOVIES, rows.size(), column -> {
                JsonNode field = record.get(column.name());
                return field == null || field.isNull() ? null : value(column.type(), field.asString());
            }));
        }
        return rows;
    }

    private static List<List<@Nullable Object>> made(List<Column> columns, int count, String sample) {
        Random random = new Random(count);
        List<String> words =
                List.of(sample, "", "d\u00e9j\u00e0 vu", "\u96ea", "it's", "a longer text with spaces in it");
        List<List<@Nullable Object>> rows = new ArrayList<>();
        while (rows.size() < count) {
            rows.add(row(columns, rows.size(), column -> {
                if (random.nextInt(10) == 0) {
                    return null;
                }
                return switch (column.type()) {
                    case INTEGER -> random.nextLong();
                    case REAL -> random.nextGaussian();
                    case TEXT -> words.get(random.nextInt(words.size()));
                };
            }));
        }
        return rows;
    }

    private static List<@Nullable Object> row(
            List<Column> columns, long position, Function<Column, @Nullable Object> value) {
        List<@Nullable Object> row = new ArrayList<>();
        for (Column column : columns) {
            row.add(column.equals(POSITION) ? Long.valueOf(position) : value.apply(column));
        }
        return row;
    }

    private static Object value(Dataset.Type type, String text) {
        return switch (type) {
            case INTEGER -> Long.valueOf(text);
            case REAL -> Double.valueOf(text);
            case TEXT -> text;
        };
    }

    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        Matcher matcher = CSV_FIELD.matcher(line);
        while (matcher.find()) {
            String quoted = matcher.group(1);
            fields.add(quoted == null ? String.valueOf(matcher.group(2)) : quoted.replace("\"\"", "\""));
            if (!",".equals(matcher.group(3))) {
                break;
            }
        }
        return fields;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
