package io.rask.catalog.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.rask.catalog.testing.Race;
import io.rask.catalog.testing.TestClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeasesTest {
    private static final RecordKey KEY = RecordKey.of("_leases", "sweep");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final Duration DIFFERENCE = Duration.ofSeconds(5);

    @TempDir
    Path folder;

    private TestClock clock;
    private Leases leases;

    @BeforeEach
    void open() {
        clock = new TestClock(START);
        leases = leases(clock);
    }

    private Leases leases(TestClock clock) {
        return new Leases(new Records(new FileRecordStore(folder), clock), clock, DIFFERENCE);
    }

    @Test
    void nobodyElseGetsALeaseThatIsHeldNotEvenTheSameOwner() {
        Lease lease = leases.acquire(KEY, "a", LENGTH).orElseThrow();
        assertThat(lease).isEqualTo(new Lease(KEY, "a", 1, START.plus(LENGTH)));
        assertThat(leases.acquire(KEY, "b", LENGTH)).isEmpty();
        assertThat(leases.acquire(KEY, "a", LENGTH)).isEmpty();
    }

    @Test
    void ofManyWhoComeAtOnceOneGetsTheLease() throws Exception {
        long token = 0;
        try (Race race = new Race(8)) {
            for (int round = 0; round < 10; round++) {
                List<Optional<Lease>> results = race.run(
                        runner -> RecordsContract.persist(() -> leases.acquire(KEY, "runner-" + runner, LENGTH)));
                List<Lease> held = results.stream().flatMap(Optional::stream).toList();
                assertThat(held).hasSize(1);
                assertThat(held.getFirst().token()).isGreaterThan(token);
                token = held.getFirst().token();
                clock.advance(LENGTH.plus(DIFFERENCE).plusMillis(1));
            }
        }
    }

    @Test
    void aReleasedLeaseIsFreeAtOnceWithAHigherToken() {
        Lease first = leases.acquire(KEY, "a", LENGTH).orElseThrow();
        leases.release(first);
        Lease second = leases.acquire(KEY, "b", LENGTH).orElseThrow();
        assertThat(second.token()).isGreaterThan(first.token());
        leases.release(first);
        assertThat(leases.acquire(KEY, "c", LENGTH))
                .as("a release by who lost the lease does nothing")
                .isEmpty();
    }

    @Test
    void renewalHoldsTheLeaseWithTheSameToken() {
        Lease lease = leases.acquire(KEY, "a", LENGTH).orElseThrow();
        clock.advance(Duration.ofSeconds(20));
        Lease renewed = leases.renew(lease, LENGTH).orElseThrow();
        assertThat(renewed.token()).isEqualTo(lease.token());
        assertThat(renewed.expiresAt()).isEqualTo(START.plusSeconds(50));
        clock.advance(Duration.ofSeconds(29));
        assertThat(leases.acquire(KEY, "b", LENGTH)).isEmpty();
    }

    @Test
    void aLeaseThatWasTakenOrReleasedCannotBeRenewed() {
        Lease lease = leases.acquire(KEY, "a", LENGTH).orElseThrow();
        clock.advance(LENGTH.plus(DIFFERENCE).plusMillis(1));
        Lease taken = leases.acquire(KEY, "b", LENGTH).orElseThrow();
        assertThat(leases.renew(lease, LENGTH)).isEmpty();
        assertThat(leases.renew(taken, LENGTH)).isPresent();
        leases.release(taken);
        assertThat(leases.renew(taken, LENGTH)).isEmpty();
    }

    @Test
    void anExpiredLeaseNobodyTookCanBeRenewed() {
        Lease lease = leases.acquire(KEY, "a", LENGTH).orElseThrow();
        clock.advance(LENGTH.plusSeconds(2));
        assertThat(lease.isHeldAt(clock.instant())).isFalse();
        assertThat(leases.renew(lease, LENGTH)).isPresent();
        clock.advance(Duration.ofSeconds(20));
        assertThat(leases.acquire(KEY, "b", LENGTH)).isEmpty();
    }

    @Test
    void clocksThatDifferNeverMakeTwoHolders() {
        for (int difference = -5; difference <= 5; difference++) {
            RecordKey key = RecordKey.of("_leases", "skew" + difference);
            TestClock holders = new TestClock(START);
            TestClock others = new TestClock(START.plusSeconds(difference));
            Lease held = leases(holders).acquire(key, "a", LENGTH).orElseThrow();
            Leases other = leases(others);
            Optional<Lease> taken = Optional.empty();
            while (taken.isEmpty()) {
                taken = other.acquire(key, "b", LENGTH);
                assertThat(taken.isPresent() && held.isHeldAt(holders.instant()))
                        .as("two holders, clocks %d s apart", difference)
                        .isFalse();
                holders.advance(Duration.ofMillis(500));
                others.advance(Duration.ofMillis(500));
            }
            assertThat(holders.instant())
                    .isBefore(
                            START.plus(LENGTH).plus(DIFFERENCE.multipliedBy(2)).plusSeconds(2));
        }
    }
}
