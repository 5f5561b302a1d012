package io.rask.catalog.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AnnouncementsTest {
    @AfterEach
    void end() {
        Announcements.close();
    }

    @Test
    void whatHappenedIsToldInItsOrderAndOnce() {
        Announcements.open();
        Announcements.add(EventType.NAMESPACE_CREATED, "a");
        Announcements.add(EventType.TABLE_CREATED, "a$t", Map.of("mode", "declare"));
        assertThat(Announcements.close())
                .containsExactly(
                        new Happening(EventType.NAMESPACE_CREATED, "a", Map.of()),
                        new Happening(EventType.TABLE_CREATED, "a$t", Map.of("mode", "declare")));
        assertThat(Announcements.close()).isEmpty();
    }

    @Test
    void whatWasUndoneIsNotTold() {
        Announcements.open();
        Announcements.add(EventType.NAMESPACE_CREATED, "a");
        Announcements.add(EventType.NAMESPACE_CREATED, "b");
        Announcements.withdraw(EventType.NAMESPACE_CREATED, "a");
        assertThat(Announcements.close()).containsExactly(new Happening(EventType.NAMESPACE_CREATED, "b", Map.of()));
    }

    @Test
    void outsideOfWorkThatIsToldNothingIsKept() throws InterruptedException {
        Announcements.open();
        Thread other = Thread.ofPlatform().start(() -> Announcements.add(EventType.TABLE_CREATED, "elsewhere"));
        other.join();
        assertThat(Announcements.close()).isEmpty();
        Announcements.add(EventType.TABLE_CREATED, "after");
        Announcements.open();
        assertThat(Announcements.close()).isEmpty();
    }
}
