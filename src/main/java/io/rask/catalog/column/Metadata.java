package io.rask.catalog.column;

import io.rask.catalog.id.ObjectId;
import io.rask.catalog.lance.FieldUpdate;
import io.rask.catalog.lance.TableMetadata;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.CatalogException.FieldViolation;
import io.rask.catalog.table.PlacedTable;
import io.rask.catalog.table.Tables;
import io.rask.catalog.wire.SchemaMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataRequest;
import io.rask.catalog.wire.UpdateFieldMetadataResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Changes the metadata of schemas and fields of tables that the catalog holds. */
@Component
final class Metadata {
    private final Tables tables;
    private final TableMetadata metadata;

    Metadata(Tables tables, TableMetadata metadata) {
        this.tables = tables;
        this.metadata = metadata;
    }

    UpdateFieldMetadataResponse updateFields(ObjectId id, @Nullable String branch, UpdateFieldMetadataRequest body) {
        List<FieldUpdate> updates = new ArrayList<>();
        for (UpdateFieldMetadataRequest.Entry entry : Entries.required("updates", body.updates())) {
            if (entry.metadata() == null) {
                throw CatalogException.invalid(
                        "Every update has the metadata to change.",
                        List.of(new FieldViolation("updates.metadata", "must be present")));
            }
            updates.add(new FieldUpdate(
                    Entries.path("updates", entry.path()), entry.metadata(), Boolean.TRUE.equals(entry.replace())));
        }
        PlacedTable table = tables.requireWritable(id);
        TableMetadata.Outcome done = metadata.updateFields(table.location(), branch, updates);
        tables.requireStill(table);
        return new UpdateFieldMetadataResponse(done.version(), done.metadata());
    }

    Map<String, String> updateSchema(ObjectId id, @Nullable String branch, SchemaMetadataRequest body) {
        PlacedTable table = tables.requireWritable(id);
        TableMetadata.Outcome done = metadata.updateSchema(table.location(), branch, body.metadata());
        tables.requireStill(table);
        return done.metadata().getOrDefault("", Map.of());
    }
}
