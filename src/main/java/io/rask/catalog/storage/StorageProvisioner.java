package io.rask.catalog.storage;

import io.rask.catalog.lance.Manifests;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.nio.file.Files;
import org.springframework.stereotype.Component;

/** Makes the place of a new warehouse ready: the folder or bucket, and an empty catalog manifest in it. */
@Component
public final class StorageProvisioner {
    private final Buckets buckets;
    private final Manifests manifests;

    public StorageProvisioner(Buckets buckets, Manifests manifests) {
        this.buckets = buckets;
        this.manifests = manifests;
    }

    /** Makes what is missing; what is there stays as it is. Code 17 when the store does not answer. */
    public void provision(StorageProfile profile) {
        switch (profile.place()) {
            case StoreUri.Folder folder -> {
                try {
                    Files.createDirectories(folder.path());
                } catch (IOException e) {
                    throw CatalogException.unavailable("The folder of the warehouse cannot be made.", e);
                }
            }
            case StoreUri.Bucket bucket -> buckets.ensure(bucket.name(), profile.serverOptions());
        }
        manifests.initialise(profile.root());
    }
}
