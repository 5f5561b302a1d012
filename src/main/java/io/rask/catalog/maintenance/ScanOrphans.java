package io.rask.catalog.maintenance;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.job.JobKind;
import io.rask.catalog.job.JobRun;
import io.rask.catalog.lance.ManifestEntry;
import io.rask.catalog.lance.ManifestView;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.storage.RootFolders;
import io.rask.catalog.storage.StorageProfile;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Looks for folders in a warehouse's root that no row of its manifest names, as a crash in the middle of a creation leaves them, and
 * for files of versions that were made beside a table's own, as a crash in the middle of a change of columns leaves them. Only
 * reports: a folder may belong to another tool.
 */
@Component
public final class ScanOrphans extends JobKind<ScanOrphans.Spec> {
    static final String NAME = "scan_orphans";
    private static final int MOST_FINDINGS = 1_000;
    private static final long MOST_FILES = 5_000_000;
    private static final long DEFAULT_AGE_SECONDS = Duration.ofHours(1).toSeconds();

    private final Locator locator;
    private final Manifests manifests;
    private final RootFolders folders;
    private final VersionsAside aside;
    private final Clock clock;

    public ScanOrphans(Locator locator, Manifests manifests, RootFolders folders, VersionsAside aside, Clock clock) {
        super(NAME, Spec.class);
        this.locator = locator;
        this.manifests = manifests;
        this.folders = folders;
        this.aside = aside;
        this.clock = clock;
    }

    /**
     * Where to look.
     *
     * @param minimumAgeSeconds a folder that was written to more recently may be of a creation under way, and is only counted; null
     *     for an hour
     */
    public record Spec(String warehouse, @Nullable Long minimumAgeSeconds) {}

    @Override
    public ObjectNode run(Spec spec, JobRun run) {
        StorageProfile home = locator.ofWarehouse(spec.warehouse());
        run.phase("listing the warehouse's root");
        RootFolders.Found found = folders.below(home, MOST_FILES, files -> run.progress(files, MOST_FILES, "files"));
        run.phase("comparing the folders with the catalog");
        // Read after the listing: what was registered meanwhile is no orphan.
        Map<String, String> tables = new HashMap<>();
        collect(manifests.view(home.root()), "", tables);
        long age = spec.minimumAgeSeconds() == null ? DEFAULT_AGE_SECONDS : spec.minimumAgeSeconds();
        Instant youngest = clock.instant().minusSeconds(age);
        ObjectNode result = report(found, tables.keySet(), youngest, run);
        ObjectNode versions = aside.report(home, found.aside(), tables, youngest);
        ArrayNode unchecked = versions.withArray("unchecked");
        found.unread().forEach(path -> unchecked.addObject().put("folder", path).put("reason", "It cannot be read."));
        if (!unchecked.isEmpty()) {
            result.put("complete", false);
        }
        result.setAll(versions);
        return result;
    }

    /** The places below the root that some row lives in, at any depth, and the ids of the rows. */
    private static void collect(ManifestView view, String namespace, Map<String, String> tables) {
        for (ManifestEntry child : view.children(namespace)) {
            String location = child.location();
            if (location != null) {
                tables.put(location, child.id());
            }
            collect(view, child.id(), tables);
        }
    }

    private static ObjectNode report(RootFolders.Found found, Set<String> locations, Instant youngest, JobRun run) {
        Set<String> used =
                locations.stream().map(location -> location.split("/", 2)[0]).collect(Collectors.toSet());
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode findings = JsonNodeFactory.instance.arrayNode();
        long orphans = 0;
        long bytes = 0;
        long recent = 0;
        for (Map.Entry<String, RootFolders.Folder> entry : found.folders().entrySet()) {
            String name = entry.getKey();
            RootFolders.Folder folder = entry.getValue();
            if (name.startsWith("_") || used.contains(name) || found.isUnread(name)) {
                continue;
            }
            if (folder.newest().isAfter(youngest)) {
                recent++;
                continue;
            }
            orphans++;
            bytes += folder.bytes();
            if (findings.size() < MOST_FINDINGS) {
                findings.add(finding(name, folder));
                run.tell("finding", folder.files(), name + " is named by no row (" + folder.bytes() + " bytes)");
            }
        }
        result.put("orphans", orphans);
        result.put("bytes", bytes);
        result.put("recent", recent);
        result.put("files_seen", found.files());
        // Folders beyond what was looked at are neither orphans nor clean.
        result.put("complete", !found.cut());
        result.put("findings_cut", orphans > findings.size());
        result.set("findings", findings);
        return result;
    }

    private static ObjectNode finding(String name, RootFolders.Folder folder) {
        ObjectNode finding = JsonNodeFactory.instance.objectNode();
        finding.put("folder", name);
        finding.put("files", folder.files());
        finding.put("bytes", folder.bytes());
        finding.put("last_written", folder.newest().toString());
        return finding;
    }
}
