package io.rask.catalog.lance;

import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.Records;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;

/** Leases on a folder of their own, for tests of the native layer alone. */
final class TestLeases {
    private TestLeases() {}

    static DeletedVersions deletedVersions(Path folder) {
        return new DeletedVersions(new Records(new FileRecordStore(folder), Clock.systemUTC()));
    }

    static FirstWrites firstWrites(NativeRuntime runtime, DatasetHandles handles, Path folder) {
        return new FirstWrites(new RowCommits(runtime, handles), handles, in(folder), Clock.systemUTC());
    }

    static Leases in(Path folder) {
        Clock clock = Clock.systemUTC();
        return new Leases(new Records(new FileRecordStore(folder), clock), clock, Duration.ofSeconds(5));
    }
}
