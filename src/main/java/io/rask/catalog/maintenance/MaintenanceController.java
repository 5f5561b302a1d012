package io.rask.catalog.maintenance;

import io.rask.catalog.access.Relation;
import io.rask.catalog.door.Body;
import io.rask.catalog.door.Door;
import io.rask.catalog.door.Target;
import io.rask.catalog.id.ObjectId;
import io.rask.catalog.job.Job;
import io.rask.catalog.job.JobState;
import io.rask.catalog.wire.CompactTableRequest;
import io.rask.catalog.wire.JobAcceptedResponse;
import io.rask.catalog.wire.ScanOrphansRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The doors that ask for maintenance: 200 with the result when it was quick, else 202 with the job to follow. */
@RestController
class MaintenanceController {
    private final Maintenance maintenance;

    MaintenanceController(Maintenance maintenance) {
        this.maintenance = maintenance;
    }

    @PostMapping("/v1/table/{id}/maintenance/compact")
    @Door(relation = Relation.CAN_MAINTAIN, target = Target.TABLE)
    ResponseEntity<JobAcceptedResponse> compact(ObjectId id, @Body CompactTableRequest body) {
        return answer(maintenance.compact(id, body.branch(), body.targetRowsPerFragment()));
    }

    @PostMapping("/v1/warehouses/{id}/orphans/scan")
    @Door(relation = Relation.CAN_MAINTAIN, target = Target.WAREHOUSE)
    ResponseEntity<JobAcceptedResponse> scan(@PathVariable String id, @Body ScanOrphansRequest body) {
        return answer(maintenance.scanOrphans(id, body.minimumAgeSeconds()));
    }

    private static ResponseEntity<JobAcceptedResponse> answer(Job job) {
        return job.state() == JobState.DONE
                ? ResponseEntity.ok(new JobAcceptedResponse(job.id(), job.result()))
                : ResponseEntity.status(HttpStatus.ACCEPTED).body(new JobAcceptedResponse(job.id(), null));
    }
}
