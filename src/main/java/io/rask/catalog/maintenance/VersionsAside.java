package io.rask.catalog.maintenance;

import io.rask.catalog.lance.TableLocation;
import io.rask.catalog.lance.TableTags;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.storage.RootFolders;
import io.rask.catalog.storage.StorageProfile;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells which files of versions made aside nobody needs: those of tables that are there, old enough to belong to no change under way,
 * and named by no tag. A tag can keep such a version, as other tools make them on purpose.
 */
@Component
final class VersionsAside {
    private static final Logger log = LoggerFactory.getLogger(VersionsAside.class);
    private static final int MOST_FINDINGS = 1_000;
    private static final String VERSIONS = "/_versions/";
    private static final String BRANCHES = "/tree/";

    private final TableTags tags;

    VersionsAside(TableTags tags) {
        this.tags = tags;
    }

    /**
     * The findings, as a part of the result of a scan. A table whose tags cannot be read is told by name, and nothing of its files.
     *
     * @param tables the ids of tables by where they are
     * @param youngest what was written later is only counted
     */
    ObjectNode report(
            StorageProfile home, List<RootFolders.Aside> files, Map<String, String> tables, Instant youngest) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        ArrayNode findings = JsonNodeFactory.instance.arrayNode();
        Map<String, Optional<Set<String>>> kept = new HashMap<>();
        ArrayNode unchecked = JsonNodeFactory.instance.arrayNode();
        long orphans = 0;
        long recent = 0;
        for (RootFolders.Aside file : files) {
            Optional<String> table = table(file.path(), tables.keySet());
            if (table.isEmpty()) {
                // Its whole folder is an orphan.
                continue;
            }
            if (file.written().isAfter(youngest)) {
                recent++;
                continue;
            }
            Optional<Set<String>> named = kept.computeIfAbsent(
                    table.get(),
                    location -> tagged(home, tables.getOrDefault(location, location), location, unchecked));
            if (named.isPresent()
                    && !named.get().contains(file.path().substring(file.path().lastIndexOf('/') + 1))) {
                orphans++;
                if (findings.size() < MOST_FINDINGS) {
                    findings.add(finding(file));
                }
            }
        }
        result.put("orphan_versions", orphans);
        result.put("recent_versions", recent);
        result.put("version_findings_cut", orphans > findings.size());
        result.set("version_findings", findings);
        result.set("unchecked", unchecked);
        return result;
    }

    /** The location of the table that a file belongs to, which may be one of a branch. */
    private static Optional<String> table(String path, Set<String> locations) {
        String place = path.substring(0, path.lastIndexOf(VERSIONS));
        while (!locations.contains(place)) {
            int branch = place.lastIndexOf(BRANCHES);
            if (branch < 0) {
                return Optional.empty();
            }
            place = place.substring(0, branch);
        }
        return Optional.of(place);
    }

    /** The names of the files of versions that tags keep; empty where they cannot be told. */
    private Optional<Set<String>> tagged(StorageProfile home, String id, String location, ArrayNode unchecked) {
        TableLocation table = new TableLocation(home.root().resolve(location), home.serverOptions());
        try {
            return Optional.of(tags.list(table).stream()
                    .map(tag -> "d" + Long.toUnsignedString(tag.version()) + ".manifest")
                    .collect(Collectors.toSet()));
        } catch (CatalogException e) {
            log.warn("The tags of {} cannot be read; its versions are not checked.", id, e);
            unchecked.addObject().put("table", id).put("location", location).put("reason", e.text());
            return Optional.empty();
        }
    }

    private static ObjectNode finding(RootFolders.Aside file) {
        ObjectNode finding = JsonNodeFactory.instance.objectNode();
        finding.put("file", file.path());
        finding.put("bytes", file.bytes());
        finding.put("last_written", file.written().toString());
        return finding;
    }
}
