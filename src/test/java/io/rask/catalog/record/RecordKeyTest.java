package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordKeyTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                ".json",
                "a",
                "a.json/",
                "/a.json",
                "a//b.json",
                "a/../b.json",
                "a/./b.json",
                "..json",
                "a.json/b.json",
                "A.json",
                "a b.json",
                "a\\b.json",
                "a%2fb.json",
                "ä.json",
                "a\n.json",
                "a.json\n",
                "a\0.json",
                ".hidden/a.json"
            })
    void aKeySomeStoreWouldConfuseIsRefused(String key) {
        assertThatThrownBy(() -> new RecordKey(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aSegmentHasAtMostTwoHundredBytes() {
        assertThat(RecordKey.of("f", "a".repeat(195)).name()).hasSize(195);
        assertThatThrownBy(() -> RecordKey.of("f", "a".repeat(196))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RecordKey.of("f".repeat(201), "a")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theNameIsTheLastSegmentWithoutItsEnding() {
        assertThat(RecordKey.of("_warehouses/bindings", "top.json").name()).isEqualTo("top.json");
        assertThat(RecordKey.of("_warehouses", "w").value()).isEqualTo("_warehouses/w.json");
    }

    @Test
    void anyIdHashesToAKeyThatKeepsIdsApart() {
        String name = RecordKey.hashed("table", "team/Söarch$..$x");
        assertThat(name).matches("table-[0-9a-f]{24}");
        assertThat(RecordKey.of("_trash", name).name()).isEqualTo(name);
        assertThat(RecordKey.hashed("table", "a")).isNotEqualTo(RecordKey.hashed("table", "A"));
        assertThat(RecordKey.hashed("ab", "c").substring(3))
                .isNotEqualTo(RecordKey.hashed("a", "bc").substring(2));
    }
}
