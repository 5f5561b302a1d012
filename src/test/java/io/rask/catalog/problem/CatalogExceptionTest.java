package io.rask.catalog.problem;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CatalogExceptionTest {
    @Test
    void aLateTextIsLookedUpWhenItIsToldAndOnce() {
        AtomicInteger looks = new AtomicInteger();
        CatalogException late =
                CatalogException.of(ErrorCode.TABLE_ALREADY_EXISTS, () -> "look " + looks.incrementAndGet());
        assertThat(looks).hasValue(0);
        assertThat(late.text()).isEqualTo("look 1");
        assertThat(late.getMessage()).isEqualTo("look 1");
        assertThat(looks).hasValue(1);
    }
}
