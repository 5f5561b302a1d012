package io.rask.catalog.table;

import io.rask.catalog.access.Principal;
import io.rask.catalog.door.Seen;
import io.rask.catalog.event.Announcements;
import io.rask.catalog.event.EventType;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.InsertMode;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.TableFiles;
import io.rask.catalog.lance.TableWriter;
import io.rask.catalog.lance.WriteResult;
import io.rask.catalog.lifecycle.DeletionCheck;
import io.rask.catalog.lifecycle.TableRemoval;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.wire.CreateMode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/**
 * Makes tables out of Arrow streams: first the data, at a location nobody else uses, then the row that gives it a name. So a
 * table in the catalog is always whole, and the loser of a race removes what it alone has written.
 */
@Component
public final class TableCreation {
    private final Tables tables;
    private final TableWriter writer;
    private final DeletionCheck check;
    private final TableRemoval removal;
    private final Overwrites overwrites;

    TableCreation(Tables tables, TableWriter writer, DeletionCheck check, TableRemoval removal, Overwrites overwrites) {
        this.overwrites = overwrites;
        this.tables = tables;
        this.writer = writer;
        this.check = check;
        this.removal = removal;
    }

    /**
     * A table after its creation.
     *
     * @param version the version this creation wrote; empty when a table that was there was kept
     */
    public record Created(PlacedTable table, Optional<Long> version) {}

    /**
     * What is to be made.
     *
     * @param force lifts the protection of a table that is overwritten
     * @param seen what was there when the rights were asked for
     */
    public record Wanted(CreateMode mode, Map<String, String> properties, boolean force, Seen seen) {}

    /**
     * Makes a table.
     *
     * @param body opens the Arrow stream; called only when no check stands against the creation
     * @throws CatalogException code 1 without the namespace; code 5 when the name is taken; code 13 or 20 for a bad stream; code
     *     14 when another writer changed the table meanwhile, or made one that nobody was asked about; code 19 when the table to overwrite is protected
     */
    public Created create(ObjectId id, Wanted wanted, Supplier<InputStream> body, Principal maker) {
        Tables.Place place = tables.place(id);
        if (place.existing().isEmpty()) {
            return createNew(place.home(), id, wanted.mode(), wanted.properties(), body, maker);
        }
        PlacedTable existing = place.existing().get();
        return switch (wanted.mode()) {
            case CREATE -> throw TableErrors.exists(id);
            case EXIST_OK -> new Created(existing, Optional.empty());
            case OVERWRITE -> {
                if (wanted.seen().isOther(Optional.of(existing.relativeLocation()))) {
                    throw TableErrors.changed(id);
                }
                existing.requireNoView();
                check.protection(List.of(existing.entry()), wanted.force()).require();
                Created overwritten = overwrite(existing, wanted.properties(), body);
                Announcements.add(EventType.TABLE_UPDATED, id.stored(), Map.of("mode", "overwrite"));
                yield overwritten;
            }
        };
    }

    private Created createNew(
            StorageProfile home,
            ObjectId id,
            CreateMode mode,
            Map<String, String> properties,
            Supplier<InputStream> body,
            Principal maker) {
        String relative = TableFiles.newLocation(id.stored());
        ManifestEntry entry = ManifestEntry.table(id.stored(), relative, MarkedProperties.given(properties));
        PlacedTable table = PlacedTable.of(id, home, entry);
        WriteResult written;
        try {
            written = writer.create(table.location(), body.get());
        } catch (RuntimeException e) {
            discard(table);
            throw e;
        }
        try {
            tables.register(home, id, entry);
        } catch (CatalogException e) {
            if (e.mayHaveHappened()) {
                throw e;
            }
            discard(table);
            if (e.code() == ErrorCode.TABLE_ALREADY_EXISTS && mode != CreateMode.CREATE) {
                return lost(id, mode, e);
            }
            throw e;
        }
        tables.own(maker, table, () -> {
            tables.unregister(table);
            discard(table);
        });
        Announcements.add(EventType.TABLE_CREATED, id.stored());
        return new Created(table, Optional.of(written.version()));
    }

    /** Another creator was first: its table is the one to keep, or stands against an overwrite whose stream is used up. */
    private Created lost(ObjectId id, CreateMode mode, CatalogException failure) {
        Optional<PlacedTable> winner = tables.find(id);
        if (mode == CreateMode.EXIST_OK && winner.isPresent()) {
            return new Created(winner.get(), Optional.empty());
        }
        throw winner.isPresent() ? TableErrors.changed(id) : failure;
    }

    private Created overwrite(PlacedTable table, Map<String, String> properties, Supplier<InputStream> body) {
        if (properties.isEmpty()) {
            WriteResult written = writer.insert(table.location(), null, InsertMode.OVERWRITE, body.get());
            tables.requireStill(table);
            return new Created(table, Optional.of(written.version()));
        }
        Overwrites.Written written = overwrites.write(table, properties, body);
        tables.requireStill(table);
        overwrites.finish(table, written.mark());
        return new Created(
                table.with(MarkedProperties.of(properties)),
                Optional.of(written.result().version()));
    }

    /** Deletes what a failed creation wrote. Nobody else ever knew the location. */
    private void discard(PlacedTable table) {
        removal.discard(table.home(), table.relativeLocation());
    }
}
