package io.rask.webtest;

import io.rask.catalog.access.AuditLog;
import io.rask.catalog.access.Relation;
import io.rask.catalog.door.ArrowBody;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.DoorCall;
import io.rask.catalog.door.Guard;
import io.rask.catalog.door.Query;
import io.rask.catalog.door.RequestContext;
import io.rask.catalog.door.Step;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.ErrorCode;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.Leases;
import io.rask.catalog.record.Records;
import io.rask.catalog.wire.CreateMode;
import io.rask.catalog.wire.NamedInBody;
import io.rask.catalog.wire.ObjectBody;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.FilterType;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The web floors of the house alone, with handlers that say what reached them. */
@SpringBootConfiguration
@EnableAutoConfiguration
@EnableConfigurationProperties(CatalogProperties.class)
@ComponentScan(
        basePackages = {
            "io.rask.catalog.platform",
            "io.rask.catalog.problem",
            "io.rask.catalog.id",
            "io.rask.catalog.wire",
            "io.rask.catalog.access",
            "io.rask.catalog.event",
            "io.rask.catalog.idempotency",
            "io.rask.catalog.door"
        },
        // The guards that look things up belong to the floors above.
        excludeFilters =
                @ComponentScan.Filter(
                        type = FilterType.REGEX,
                        pattern =
                                ".*\\.(door\\.((?!Shape)\\w+Guard|AbsentTargets|DepartedTable|JobRights|Existence|UnfinishedDeletions|\\w+Questions)|access\\.(?!identity\\.Identity).*)"))
@Import(EchoApplication.Echoes.class)
class EchoApplication {

    /** Stands for the store, which belongs to the floors above. */
    @Bean
    HealthIndicator recordStoreHealthIndicator() {
        return () -> Health.up().build();
    }

    @Bean
    Records records(Clock clock) {
        return new Records(new FileRecordStore(Path.of("target", "webtest-records")), clock);
    }

    @Bean
    Leases leases(Records records, Clock clock) {
        return new Leases(records, clock, Duration.ofSeconds(5));
    }

    @Bean
    AuditLog auditLog() {
        return new AuditLog(Clock.systemUTC(), false);
    }

    /** Stands for the permission engine. */
    @Bean
    HealthIndicator permissionEngineHealthIndicator() {
        return () -> Health.up().build();
    }

    record Create(
            @Nullable List<@Nullable String> id,
            @Nullable Map<String, @Nullable String> context,
            @Nullable CreateMode mode,
            @Nullable @Min(1) Long batchSize,
            @Nullable List<List<String>> updates,
            @Nullable String predicate)
            implements ObjectBody {}

    record NewWarehouse(@Nullable String id, @Nullable String project) implements NamedInBody {
        @Override
        public @Nullable String newName() {
            return id;
        }

        @Override
        public @Nullable String holderName() {
            return project;
        }
    }

    record NewTop(@Nullable String namespace) implements NamedInBody {
        @Override
        public @Nullable String newName() {
            return namespace;
        }
    }

    record Page(
            @Nullable String pageToken,
            @Nullable @Min(1) @Max(1000) Integer limit,
            @Nullable List<String> on) {}

    /**
     * Refuses at its step when a header says so.
     *
     * @param header the name of the header
     */
    record Refusing(Step step, String header, ErrorCode code) implements Guard {
        @Override
        public void check(DoorCall call) {
            if (call.context().header(header).isPresent()) {
                throw CatalogException.of(code, "Refused at " + step + ".");
            }
        }
    }

    @Bean
    Guard conflicting() {
        return new Refusing(Step.CONFLICT, "x-conflict", ErrorCode.TABLE_ALREADY_EXISTS);
    }

    @Bean
    Guard denying() {
        return new Refusing(Step.AUTHORIZATION, "x-deny", ErrorCode.PERMISSION_DENIED);
    }

    @Bean
    Guard orphaning() {
        return new Refusing(Step.PARENT, "x-orphan", ErrorCode.NAMESPACE_NOT_FOUND);
    }

    @RestController
    static class Echoes {
        private static Map<String, Object> said(ObjectId id, RequestContext context) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("id", id.segments());
            said.put("lance_db_dialect", context.lanceDbDialect());
            said.put("trace", context.header("x-trace").orElse("-"));
            said.put("key", context.header("x-api-key").orElse("-"));
            said.put("principal", context.principal().subject());
            return said;
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/describe")
        Map<String, Object> describe(ObjectId id, @Body Create body, RequestContext context) {
            Map<String, Object> said = said(id, context);
            said.put("mode", String.valueOf(body.mode()));
            return said;
        }

        @Door(relation = Relation.CAN_DROP, target = Target.TABLE, destructive = true)
        @PostMapping("/v1/table/{id}/drop")
        Map<String, Object> drop(ObjectId id, RequestContext context) {
            return said(id, context);
        }

        @Door(
                relation = Relation.CAN_CREATE_TABLE,
                target = Target.TABLE,
                parent = Target.NAMESPACE,
                askedOnParent = true,
                mints = true)
        @PostMapping("/v1/table/{id}/create")
        Map<String, Object> create(ObjectId id, @Query Page page, ArrowBody body) throws IOException {
            return Map.of("id", id.segments(), "bytes", body.stream().readAllBytes().length);
        }

        @Door(
                relation = Relation.CAN_CREATE_NAMESPACE,
                target = Target.NAMESPACE,
                parent = Target.NAMESPACE,
                askedOnParent = true,
                mints = true)
        @PostMapping("/v1/namespace/{id}/create")
        Map<String, Object> createNamespace(ObjectId id, RequestContext context) {
            return said(id, context);
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.NAMESPACE)
        @GetMapping("/v1/namespace/{id}/list")
        Map<String, Object> list(ObjectId id, @Query Page page, RequestContext context) {
            Map<String, Object> said = said(id, context);
            said.put("limit", String.valueOf(page.limit()));
            said.put("on", page.on() == null ? new ArrayList<String>() : page.on());
            return said;
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.ESTATE, filtered = true)
        @GetMapping("/v1/table")
        Map<String, Object> listAll(@RequestParam int required, RequestContext context) {
            return Map.of("required", required, "lance_db_dialect", context.lanceDbDialect());
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/exists")
        void exists(DoorCall call) {
            throw call.absent();
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/stats")
        void fail(ObjectId id) {
            throw new IllegalStateException("lost /var/lib/data/x.lance at src/io.rs:12:3");
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/restore")
        void unavailable(ObjectId id) {
            throw CatalogException.unavailable("The store at s3://key:secret@host/bucket does not answer.", null)
                    .retryAfter(Duration.ofMillis(1500));
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/rename")
        void unsupported(ObjectId id) {
            throw CatalogException.of(ErrorCode.UNSUPPORTED, "Not here.");
        }

        @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/query")
        void breakOff(ObjectId id, HttpServletResponse response) throws IOException {
            response.setContentType("application/vnd.apache.arrow.file");
            OutputStream out = response.getOutputStream();
            out.write(new byte[100_000]);
            out.flush();
            throw new IllegalStateException("half way");
        }

        @Door(relation = Relation.CAN_READ_DATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/count_rows")
        void failBeforeTheFirstByteIsSent(ObjectId id, HttpServletResponse response) throws IOException {
            response.setContentType("application/vnd.apache.arrow.file");
            response.getOutputStream().write(new byte[10]);
            throw CatalogException.invalid("Nothing was sent yet.");
        }

        @Door(relation = Relation.CAN_GET_METADATA, target = Target.TABLE)
        @PostMapping("/v1/table/{id}/index/{index_name}/stats")
        Map<String, Object> indexStats(ObjectId id, @PathVariable("index_name") String name) {
            return Map.of("id", id.segments(), "index", name);
        }

        @Door(
                relation = Relation.CAN_CREATE_WAREHOUSE,
                target = Target.WAREHOUSE,
                parent = Target.PROJECT,
                askedOnParent = true,
                mints = true)
        @PostMapping("/v1/warehouses")
        Map<String, Object> newWarehouse(DoorCall call, @Body NewWarehouse body) {
            return Map.of(
                    "id",
                    call.warehouse().orElse("-"),
                    "project",
                    call.project().orElse("-"));
        }

        @Door(relation = Relation.CAN_ADMINISTER, target = Target.WAREHOUSE, destructive = true)
        @DeleteMapping("/v1/warehouses/{id}")
        Map<String, Object> dropWarehouse(DoorCall call) {
            return Map.of("id", call.warehouse().orElse("-"));
        }

        @Door(
                relation = Relation.CAN_CREATE_NAMESPACE,
                target = Target.NAMESPACE,
                parent = Target.WAREHOUSE,
                askedOnParent = true,
                mints = true)
        @PostMapping("/v1/warehouses/{id}/namespaces")
        Map<String, Object> bind(DoorCall call, @Body NewTop body) {
            return Map.of(
                    "id",
                    call.targetObject().segments(),
                    "warehouse",
                    call.warehouse().orElse("-"));
        }

        @GetMapping("/outside")
        String outside() {
            return "outside";
        }
    }
}
