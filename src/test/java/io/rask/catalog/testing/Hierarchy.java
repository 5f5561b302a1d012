package io.rask.catalog.testing;

import io.rask.catalog.hierarchy.BindingRegistry;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.ProjectRegistry;
import io.rask.catalog.hierarchy.StorageClaims;
import io.rask.catalog.hierarchy.TopLevelNamespaces;
import io.rask.catalog.hierarchy.WarehouseCreation;
import io.rask.catalog.hierarchy.WarehouseCreation.Wanted;
import io.rask.catalog.hierarchy.WarehouseRegistry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.NativeCalls;
import io.rask.catalog.lance.NativeRuntime;
import io.rask.catalog.lifecycle.TrashRecords;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.Records;
import io.rask.catalog.storage.Buckets;
import io.rask.catalog.storage.StorageProfiles;
import io.rask.catalog.storage.StorageProvisioner;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;

/** The hierarchy of one server over a folder; a second one over the same folder is a second server. */
public final class Hierarchy implements AutoCloseable {
    public final CatalogProperties properties;
    public final Records records;
    public final ProjectRegistry projects;
    public final WarehouseRegistry warehouses;
    public final BindingRegistry bindings;
    public final WarehouseCreation creation;
    public final TopLevelNamespaces topLevel;
    public final StorageProfiles profiles;
    public final Locator locator;
    public final Manifests manifests;

    public Hierarchy(Path folder, Clock clock, NativeRuntime runtime, NativeCalls calls, Map<String, String> settings) {
        Map<String, String> all = new HashMap<>();
        all.put("lance.rest.root", folder.resolve("lance").toString());
        all.put("lance.control.root", folder.resolve("control").toString());
        all.put("lance.storage.allowed-roots", folder.toString());
        all.putAll(settings);
        properties = Settings.of(all);
        records = new Records(new FileRecordStore(folder.resolve("control")), clock);
        manifests = new Manifests(runtime, calls, root -> {});
        projects = new ProjectRegistry(records);
        StorageClaims claims = new StorageClaims(records, clock);
        warehouses = new WarehouseRegistry(records, claims);
        bindings = new BindingRegistry(records);
        profiles = new StorageProfiles(properties);
        StorageProvisioner provisioner = new StorageProvisioner(new Buckets(properties), manifests);
        creation = new WarehouseCreation(projects, warehouses, claims, profiles, provisioner, properties);
        topLevel = new TopLevelNamespaces(warehouses, bindings, profiles, manifests, new TrashRecords(records));
        locator = new Locator(properties, bindings, warehouses, profiles, manifests);
    }

    /** What a client asks for when it names nothing but ids. */
    public static Wanted wanted(String id, String project) {
        return new Wanted(id, project, null, null, null, null, null, false);
    }

    @Override
    public void close() {
        manifests.destroy();
        records.close();
    }
}
