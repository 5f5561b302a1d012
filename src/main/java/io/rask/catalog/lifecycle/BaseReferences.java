package io.rask.catalog.lifecycle;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.hierarchy.WarehouseHome;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.lance.VersionManifest;
import io.rask.catalog.platform.Fanout;
import io.rask.catalog.storage.StorageProfile;
import io.rask.catalog.storage.StoreFiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the datasets that read files of other places: shallow clones, and tables with further base paths. */
@Component
final class BaseReferences {
    private static final int WIDTH = 8;

    private final Locator locator;
    private final Manifests manifests;
    private final StoreFiles files;
    private final DatasetHeads heads;
    /** The bases of each dataset at its latest look, by place. */
    private final Cache<String, List<String>> known =
            Caffeine.newBuilder().maximumSize(200_000).build();

    BaseReferences(Locator locator, Manifests manifests, StoreFiles files, DatasetHeads heads) {
        this.locator = locator;
        this.manifests = manifests;
        this.files = files;
        this.heads = heads;
    }

    /** How closely to look. */
    enum Look {
        /** At each dataset once in the life of the process: enough to warn before a drop, at the price of one listing. */
        ONCE,
        /** At each dataset now: what bytes are deleted upon. */
        NOW
    }

    /**
     * A dataset with bases.
     *
     * @param project the project of its warehouse; null without warehouses
     * @param table its stored id; null where it is not registered
     */
    record Dependent(
            @Nullable String project,
            String place,
            String location,
            @Nullable String table,
            List<String> bases) {
        boolean isBasedOn(String other) {
            return bases.stream().anyMatch(base -> BasePlaces.overlap(base, other));
        }
    }

    /**
     * What a look found.
     *
     * @param project the project of the root that was asked about; null without warehouses
     * @param unread the first thing that could not be read; there may be more dependents then
     */
    record Seen(@Nullable String project, List<Dependent> dependents, Optional<RuntimeException> unread) {
        /**
         * The first dataset elsewhere that reads files of this place.
         *
         * @param going places whose datasets do not count
         */
        Optional<Dependent> basedOn(String place, Set<String> going) {
            return dependents.stream()
                    .filter(dependent -> !going.contains(dependent.place()))
                    .filter(dependent -> !BasePlaces.isWithin(dependent.place(), place))
                    .filter(dependent -> dependent.isBasedOn(place))
                    .findFirst();
        }
    }

    private record Candidate(
            @Nullable String project,
            StorageProfile home,
            String location,
            @Nullable String table) {}

    private record Bases(Candidate candidate, List<String> bases, Optional<RuntimeException> failure) {}

    private record Candidates(List<Candidate> found, Optional<RuntimeException> failure) {}

    /** Looks at the registered tables of all warehouses, and at every folder in this root. */
    Seen look(StorageProfile home, Look look) {
        List<WarehouseHome> homes;
        try {
            homes = locator.everyHome();
        } catch (RuntimeException e) {
            // Without the list of the others, nothing can be told of them; what is in this root still can.
            return look(List.of(new WarehouseHome(null, home)), home, look, Optional.of(e));
        }
        return look(homes, home, look, Optional.empty());
    }

    /**
     * Looks at the registered tables in all roots but this, now.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 without the list of the roots
     */
    Seen lookElsewhere(StorageProfile home) {
        List<WarehouseHome> homes = locator.everyHome();
        List<WarehouseHome> others =
                homes.stream().filter(other -> !isAt(other, home)).toList();
        Seen seen = look(others, home, Look.NOW, Optional.empty());
        return new Seen(project(homes, home), seen.dependents(), seen.unread());
    }

    private Seen look(List<WarehouseHome> homes, StorageProfile home, Look look, Optional<RuntimeException> unlisted) {
        List<RuntimeException> failures = new ArrayList<>(unlisted.stream().toList());
        List<Dependent> dependents = new ArrayList<>();
        List<Candidate> unknown = new ArrayList<>();
        for (Candidates candidates : Fanout.map(homes, WIDTH, other -> candidates(other, isAt(other, home)))) {
            candidates.failure().ifPresent(failures::add);
            for (Candidate candidate : candidates.found()) {
                List<String> bases = look == Look.NOW ? null : known.getIfPresent(place(candidate));
                if (bases == null) {
                    unknown.add(candidate);
                } else {
                    add(dependents, candidate, bases);
                }
            }
        }
        for (Bases read : Fanout.map(unknown, WIDTH, this::read)) {
            read.failure().ifPresent(failures::add);
            add(dependents, read.candidate(), read.bases());
        }
        return new Seen(project(homes, home), dependents, failures.stream().findFirst());
    }

    private static @Nullable String project(List<WarehouseHome> homes, StorageProfile home) {
        return homes.stream()
                .filter(other -> isAt(other, home))
                .map(WarehouseHome::project)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    private static boolean isAt(WarehouseHome other, StorageProfile home) {
        return other.profile().place().equals(home.place());
    }

    private Candidates candidates(WarehouseHome home, boolean foldersToo) {
        try {
            Map<String, @Nullable String> found = new HashMap<>();
            if (foldersToo) {
                files.folders(home.profile(), "").stream()
                        .filter(name -> !name.startsWith("_"))
                        .forEach(name -> found.put(name, null));
            }
            // What is in the trash may come back and reads the files of others then.
            for (ManifestEntry table : manifests.view(home.profile().root()).rows(row -> row.location() != null)) {
                String location = table.location();
                if (location != null) {
                    found.put(location, table.id());
                }
            }
            List<Candidate> candidates = new ArrayList<>(found.size());
            found.forEach((location, table) ->
                    candidates.add(new Candidate(home.project(), home.profile(), location, table)));
            return new Candidates(candidates, Optional.empty());
        } catch (RuntimeException e) {
            return new Candidates(List.of(), Optional.of(e));
        }
    }

    private Bases read(Candidate candidate) {
        try {
            List<VersionManifest> found = heads.of(candidate.home(), candidate.location());
            List<String> bases = found.stream()
                    .flatMap(head -> head.bases().stream())
                    .distinct()
                    .toList();
            if (!found.isEmpty()) {
                known.put(place(candidate), bases);
            }
            return new Bases(candidate, bases, Optional.empty());
        } catch (RuntimeException e) {
            return new Bases(candidate, List.of(), Optional.of(e));
        }
    }

    private static void add(List<Dependent> dependents, Candidate candidate, List<String> bases) {
        if (!bases.isEmpty()) {
            dependents.add(new Dependent(
                    candidate.project(), place(candidate), candidate.location(), candidate.table(), bases));
        }
    }

    private static String place(Candidate candidate) {
        return candidate.home().root().resolve(candidate.location());
    }
}
