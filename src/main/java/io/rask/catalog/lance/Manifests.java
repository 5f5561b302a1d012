package io.rask.catalog.lance;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.namespace.DirectoryNamespace;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;

/** The catalog manifests of all roots this process has touched. */
@Component
public final class Manifests implements DisposableBean {
    private final NativeRuntime runtime;
    private final NativeCalls calls;
    private final ManifestListener listener;

    private final ConcurrentMap<CatalogRoot, Opened> opened = new ConcurrentHashMap<>();

    private record Opened(Manifest manifest, ManifestCommits commits) {}

    public Manifests(NativeRuntime runtime, NativeCalls calls, ManifestListener listener) {
        this.runtime = runtime;
        this.calls = calls;
        this.listener = listener;
    }

    /**
     * What the manifest of a root holds now.
     *
     * @throws io.rask.catalog.problem.CatalogException code 17 when the store does not answer or the root has no manifest
     */
    public ManifestView view(CatalogRoot root) {
        return opened(root).manifest.view();
    }

    /**
     * Makes one change of a root's manifest durable.
     *
     * @throws io.rask.catalog.problem.CatalogException what a check of the change threw, or code 14: nothing was written; code
     *     17: the outcome is not known
     */
    public void commit(CatalogRoot root, ManifestChange change) {
        opened(root).commits.commit(change);
        listener.committed(root);
    }

    /** Makes the manifest of a root if it has none; a repeat, also by another process at the same time, changes nothing. */
    public void initialise(CatalogRoot root) {
        calls.metadata(() -> {
            if (!exists(root)) {
                create(root);
            }
            return true;
        });
        opened(root).manifest.view();
    }

    private boolean exists(CatalogRoot root) {
        ReadOptions options = new ReadOptions.Builder()
                .setStorageOptions(root.storageOptions())
                .setSession(runtime.session())
                .build();
        try (Dataset manifest = Dataset.open(runtime.allocator(), root.resolve(Manifest.FOLDER), options)) {
            return manifest.version() > 0;
        } catch (Exception e) {
            if (NativeErrors.isNoDataset(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Lets the library's directory catalog make the table, so that its format is the library's own. */
    private void create(CatalogRoot root) throws Exception {
        Map<String, String> settings = new HashMap<>();
        settings.put("root", root.uri());
        settings.put("manifest_enabled", "true");
        settings.put("dir_listing_enabled", "false");
        root.storageOptions().forEach((key, value) -> settings.put("storage." + key, value));
        try (DirectoryNamespace directory = new DirectoryNamespace()) {
            directory.initialize(settings, runtime.allocator());
        }
    }

    private Opened opened(CatalogRoot root) {
        return opened.computeIfAbsent(root, wanted -> {
            listener.opened(wanted);
            Manifest manifest = new Manifest(wanted, runtime, calls);
            return new Opened(manifest, new ManifestCommits(manifest, runtime, calls));
        });
    }

    @Override
    public void destroy() {
        opened.values().forEach(open -> open.manifest.close());
        opened.clear();
    }
}
