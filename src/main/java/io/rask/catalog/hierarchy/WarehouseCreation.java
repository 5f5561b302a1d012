package io.rask.catalog.hierarchy;

import io.rask.catalog.hierarchy.StorageClaims.Claim;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.platform.StoreUri;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StorageProfiles;
import io.rask.catalog.storage.StorageProvisioner;
import io.rask.catalog.storage.StorageRequest;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Makes warehouses: claim first, then provision, then the record. */
@Component
public final class WarehouseCreation {
    private final ProjectRegistry projects;
    private final WarehouseRegistry warehouses;
    private final StorageClaims claims;
    private final StorageProfiles profiles;
    private final StorageProvisioner provisioner;
    private final CatalogProperties properties;

    public WarehouseCreation(
            ProjectRegistry projects,
            WarehouseRegistry warehouses,
            StorageClaims claims,
            StorageProfiles profiles,
            StorageProvisioner provisioner,
            CatalogProperties properties) {
        this.projects = projects;
        this.warehouses = warehouses;
        this.claims = claims;
        this.profiles = profiles;
        this.provisioner = provisioner;
        this.properties = properties;
    }

    /**
     * What a client asks for; the id, project and bucket have been checked as names.
     *
     * @param root a root of its own, or null for the one derived from the bucket
     */
    public record Wanted(
            String id,
            String project,
            @Nullable String bucket,
            @Nullable String root,
            @Nullable String endpoint,
            @Nullable String region,
            @Nullable String credential,
            boolean isProtected) {
        StorageRequest storage() {
            return new StorageRequest(project, bucket == null ? id : bucket, root, endpoint, region, credential);
        }
    }

    /**
     * Makes the warehouse; a repeat changes nothing, except that it may arm the protection.
     *
     * @throws CatalogException code 13 for storage that is not allowed; code 4 when the project has no record; code 2 when the
     *     id, bucket or root is taken, or a repeat asks for another one; code 14 when the project is deleted meanwhile
     */
    public Warehouse create(Wanted wanted, String createdBy) {
        StorageRequest storage = wanted.storage();
        refuseReserved(storage.bucket());
        projects.requireOpen(wanted.project());
        Optional<Warehouse> existing = warehouses.find(wanted.id());
        if (existing.isPresent()) {
            return repeated(existing.get(), wanted);
        }
        StorageProfile profile = profiles.of(storage);
        Claim claim = new Claim(
                wanted.id(),
                wanted.project(),
                bucket(profile, wanted),
                profile.place().external());
        claims.take(claim, id -> warehouses.find(id).isPresent());
        Warehouse warehouse = claimed(claim, profile, wanted, createdBy);
        if (projects.find(wanted.project())
                .filter(project -> !project.deleting())
                .isEmpty()) {
            warehouses.setStatus(warehouse.id(), Warehouse.Status.DELETING);
            warehouses.remove(warehouse);
            throw HierarchyErrors.beingDeleted("project", wanted.project());
        }
        return warehouse;
    }

    /** The bucket that is really used: a root of its own on S3 names it. */
    private String bucket(StorageProfile profile, Wanted wanted) {
        if (!(profile.place() instanceof StoreUri.Bucket place)) {
            return wanted.storage().bucket();
        }
        if (wanted.bucket() != null && !wanted.bucket().equals(place.name())) {
            throw CatalogException.invalid("The bucket and the root name different buckets; leave the bucket out.");
        }
        refuseReserved(place.name());
        return place.name();
    }

    private void refuseReserved(String bucket) {
        if (properties.reservedBuckets().contains(bucket)) {
            throw CatalogException.invalid("The bucket '" + bucket + "' is reserved; choose another.");
        }
    }

    private Warehouse claimed(Claim claim, StorageProfile profile, Wanted wanted, String createdBy) {
        Warehouse made;
        try {
            provisioner.provision(profile);
            made = warehouses.create(new Warehouse(
                    claim.warehouse(),
                    claim.project(),
                    claim.bucket(),
                    claim.root(),
                    wanted.root() != null,
                    wanted.endpoint(),
                    wanted.region(),
                    wanted.credential(),
                    Warehouse.Status.ACTIVE,
                    wanted.isProtected(),
                    null,
                    Instant.EPOCH,
                    createdBy));
        } catch (RuntimeException e) {
            releaseUnlessRecorded(claim, e);
            throw e;
        }
        if (!Claim.of(made).equals(claim)) {
            claims.release(claim);
            return repeated(made, wanted);
        }
        return made;
    }

    private void releaseUnlessRecorded(Claim claim, RuntimeException failure) {
        try {
            if (warehouses
                    .find(claim.warehouse())
                    .map(Claim::of)
                    .filter(claim::equals)
                    .isEmpty()) {
                claims.release(claim);
            }
        } catch (RuntimeException e) {
            // The claim then stays until it counts as abandoned; the first failure is what the caller needs to see.
            failure.addSuppressed(e);
        }
    }

    private Warehouse repeated(Warehouse existing, Wanted wanted) {
        if (existing.status() == Warehouse.Status.DELETING) {
            throw HierarchyErrors.beingDeleted("warehouse", existing.id());
        }
        if (!existing.project().equals(wanted.project())) {
            throw taken("The id '" + wanted.id() + "' is taken by a warehouse of another project; choose another id.");
        }
        boolean sameBucket = wanted.bucket() == null || wanted.bucket().equals(existing.bucket());
        boolean sameRoot = wanted.root() == null
                || profiles.of(wanted.storage()).place().external().equals(existing.root());
        if (!sameBucket || !sameRoot) {
            throw taken("The warehouse '" + existing.id()
                    + "' exists with another bucket or root, which cannot be changed.");
        }
        return wanted.isProtected() && !existing.isProtected() ? warehouses.protect(existing.id()) : existing;
    }

    private static CatalogException taken(String text) {
        return CatalogException.of(ErrorCode.NAMESPACE_ALREADY_EXISTS, text);
    }
}
