package io.rask.catalog.lance;

import java.util.Set;

/** The words of SQL that {@link SqlText} knows. */
final class SqlWords {
    /** Words that begin or join statements and subqueries. */
    static final Set<String> STATEMENTS = words("""
            alter attach copy create delete drop except execute exists explain grant having insert intersect lateral
            merge over qualify revoke select table truncate union unnest update values window with
            """);

    /** Functions in whose brackets FROM has a place. */
    static final Set<String> TAKES_FROM = words("""
            extract overlay substr substring trim
            """);

    /** Words that compare. */
    static final Set<String> COMPARING = words("""
            between ilike in is like
            """);

    /** Words that may stand before a bracket without being functions. */
    static final Set<String> NO_FUNCTIONS = words("""
            and as between binary case char character date decimal distinct else escape float for from ilike in
            interval is like not numeric or then time timestamp varbinary varchar when
            """);

    /** The functions on offer. Absent are those that end the process, take memory without bound, or answer differently each time. */
    static final Set<String> FUNCTIONS = words("""
            abs acos array_append array_concat array_contains array_distinct array_element array_has array_has_all
            array_has_any array_length array_position array_prepend array_remove array_sort array_to_string
            arrow_cast arrow_typeof ascii asin atan atan2 bit_length btrim cardinality cast cbrt ceil char_length
            character_length chr coalesce concat concat_ws contains contains_tokens cos current_date current_time
            current_timestamp date_bin date_part date_trunc decode degrees empty encode ends_with exp extract floor
            from_unixtime gcd get_field greatest ifnull initcap isnan iszero json_array_contains json_array_length
            json_exists json_extract json_get json_get_bool json_get_float json_get_int json_get_string lcm least
            left length levenshtein list_contains list_has list_has_all list_has_any ln log log10 log2 lower ltrim
            make_array md5 named_struct nanvl now nullif nvl nvl2 octet_length overlay pi position pow power radians
            regexp_count regexp_like regexp_match regexp_replace replace reverse right round rtrim sha224 sha256
            sha384 sha512 signum sin split_part sqrt starts_with string_to_array strpos struct substr substring tan
            to_date to_hex to_timestamp to_timestamp_micros to_timestamp_millis to_timestamp_nanos
            to_timestamp_seconds to_unixtime translate trim trunc try_cast upper
            """);

    /** Functions that multiply the length of text. */
    static final Set<String> GROWING = words("""
            array_to_string concat_ws regexp_replace replace
            """);

    private SqlWords() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }
}
