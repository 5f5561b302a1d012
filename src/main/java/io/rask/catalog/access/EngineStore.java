package io.rask.catalog.access;

import dev.openfga.sdk.api.model.AuthorizationModel;
import dev.openfga.sdk.api.model.CreateStoreRequest;
import dev.openfga.sdk.api.model.ListStoresResponse;
import dev.openfga.sdk.api.model.Store;
import io.rask.catalog.platform.FgaProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.RecordKey;
import io.rask.catalog.record.Records;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Which store of the engine is ours, and which of its models is asked. The store of a name is written down on the control root once it
 * was found or made: of replicas that start at the same time one decides, and a second store of the name changes nothing.
 */
final class EngineStore {
    private static final Logger LOG = LoggerFactory.getLogger(EngineStore.class);
    private static final String FOLDER = "_access";
    private static final String STORE = "store_id";
    private static final int PAGE = 100;

    private final FgaProperties settings;
    private final EngineTransport transport;
    private final Records records;
    private final AccessModel model;

    EngineStore(FgaProperties settings, EngineTransport transport, Records records, AccessModel model) {
        this.settings = settings;
        this.transport = transport;
        this.records = records;
        this.model = model;
    }

    /** What is asked from now on. */
    record Selected(String store, String model) {}

    /** @throws CatalogException code 17 when the engine or the control root does not answer, or the model is none of ours */
    Selected select() {
        String pinned = settings.storeId();
        String store = pinned == null || pinned.isEmpty() ? byName() : pinned;
        // The engine takes facts and questions for a store that is not there.
        transport.call(api -> api.getStore(store));
        return new Selected(store, modelOf(store));
    }

    private String byName() {
        RecordKey key = RecordKey.of(FOLDER, RecordKey.hashed("store", settings.storeName()));
        Optional<String> noted =
                records.read(key).map(record -> record.content().path(STORE).asString());
        if (noted.isPresent()) {
            return noted.get();
        }
        String store = oldest().orElseGet(this::made);
        return records.create(key, JsonNodeFactory.instance.objectNode().put(STORE, store))
                .record()
                .content()
                .path(STORE)
                .asString();
    }

    private Optional<String> oldest() {
        String name = settings.storeName();
        String token = null;
        do {
            String from = token;
            ListStoresResponse page = transport.call(api -> api.listStores(PAGE, from, name));
            Optional<String> found = page.getStores().stream()
                    .filter(store -> name.equals(store.getName()))
                    .min(Comparator.comparing(Store::getCreatedAt).thenComparing(Store::getId))
                    .map(Store::getId);
            if (found.isPresent()) {
                return found;
            }
            token = page.getContinuationToken();
        } while (token != null && !token.isEmpty());
        return Optional.empty();
    }

    private String made() {
        String made = transport
                .call(api -> api.createStore(new CreateStoreRequest().name(settings.storeName())))
                .getId();
        LOG.info("Made the store {} of the permission engine.", made);
        return made;
    }

    private String modelOf(String store) {
        String pinned = settings.modelId();
        if (pinned != null && !pinned.isEmpty()) {
            AuthorizationModel found = transport
                    .call(api -> api.readAuthorizationModel(store, pinned))
                    .getAuthorizationModel();
            return usable(found, store);
        }
        List<AuthorizationModel> latest = transport
                .call(api -> api.readAuthorizationModels(store, 1, null))
                .getAuthorizationModels();
        return latest.isEmpty() ? upload(store) : usable(latest.getFirst(), store);
    }

    private String usable(@Nullable AuthorizationModel found, String store) {
        if (found == null) {
            throw refused("The model of the store " + store + " is not told");
        }
        AccessModel.Comparison comparison = model.compare(found);
        boolean pinned = settings.modelId() != null && !settings.modelId().isEmpty();
        return switch (comparison) {
            case SAME -> found.getId();
            case WIDER -> {
                LOG.warn(
                        "The permission engine's model {} has relations this version does not know; it is kept.",
                        found.getId());
                yield found.getId();
            }
            case OLDER -> {
                if (pinned) {
                    throw refused("The model " + found.getId() + " that lance.fga.model-id names lacks relations");
                }
                yield upload(store);
            }
            case FOREIGN ->
                throw refused(
                        "The latest model of the store " + store
                                + " lacks relations and has others, or defines one otherwise; a model of ours would take that away");
        };
    }

    private String upload(String store) {
        String id = transport
                .call(api -> api.writeAuthorizationModel(store, model.upload()))
                .getAuthorizationModelId();
        LOG.info("Gave the permission engine the model {}.", id);
        return id;
    }

    private static CatalogException refused(String reason) {
        LOG.error("Nobody is let in: {}.", reason);
        return EngineTransport.unavailable(new IllegalStateException(reason));
    }

    /** Whether the engine does not know what was selected any more, or says so of what it was asked. */
    static boolean isGone(@Nullable Throwable failure) {
        Integer status = EngineTransport.status(failure);
        return status != null && (status == 400 || status == 404);
    }
}
