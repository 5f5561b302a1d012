package io.rask.catalog.testing;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.DatasetHandles;
import io.rask.catalog.storage.StoreFiles;
import io.rask.catalog.storage.StoreFiles.Found;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.lance.Dataset;
import org.springframework.util.FileSystemUtils;

/**
 * The next version of a table as a client leaves it that wants the catalog to make it one: all files are there, and its manifest lies
 * ready under another name.
 *
 * @param id of the table, as JSON
 * @param path of the manifest
 */
public record StagedVersion(String id, long version, String path) {

    /** Inserts rows, and takes the new version its number. Nothing but the server given may have seen the table. */
    public static StagedVersion inserting(RunningServer server, ObjectId id, byte[] rows) {
        String address = "/v1/table/" + RunningServer.id(id.segments().toArray(String[]::new));
        server.arrow(address + "/insert", rows).ok();
        PlacedTable table = server.bean(Tables.class).require(id);
        StoreFiles files = server.bean(StoreFiles.class);
        String folder = table.relativeLocation() + "/_versions";
        // The newest comes first.
        Found made = files.files(table.home(), folder, 1).getFirst();
        String staged = "staged-" + UUID.randomUUID();
        if (!files.copyIfAbsent(table.home(), folder + "/" + made.name(), folder + "/" + staged)) {
            throw new IllegalStateException(staged + " is taken");
        }
        files.delete(table.home(), folder + "/" + made.name());
        server.bean(DatasetHandles.class).invalidate(table.location().uri());
        long number =
                ~Long.parseUnsignedLong(made.name().substring(0, made.name().indexOf('.')));
        return new StagedVersion(json(id), number, "_versions/" + staged);
    }

    /** Deletes rows in a copy of a table that lies in a folder; so no server has seen the version. */
    public static StagedVersion deleting(RunningServer server, ObjectId id, String predicate, Path elsewhere)
            throws IOException {
        Path folder = Path.of(server.bean(Tables.class).require(id).location().uri());
        Path copy = elsewhere.resolve(UUID.randomUUID().toString());
        FileSystemUtils.copyRecursively(folder, copy);
        long version;
        try (Dataset dataset = Dataset.open(copy.toString())) {
            dataset.delete(predicate);
            version = dataset.version();
        }
        for (String kept : List.of("_deletions", "_transactions", "data")) {
            if (Files.isDirectory(copy.resolve(kept))) {
                FileSystemUtils.copyRecursively(copy.resolve(kept), folder.resolve(kept));
            }
        }
        String staged = "_versions/staged-" + UUID.randomUUID();
        Files.copy(
                copy.resolve("_versions").resolve(Long.toUnsignedString(~version) + ".manifest"),
                folder.resolve(staged));
        return new StagedVersion(json(id), version, staged);
    }

    /** An id as bodies carry it. */
    public static String json(ObjectId id) {
        return "[\"" + String.join("\",\"", id.segments()) + "\"]";
    }

    /** The request to make it a version, as one of several. */
    public String request() {
        return "{\"id\":" + id + ",\"version\":" + version + ",\"manifest_path\":\"" + path + "\"}";
    }
}
