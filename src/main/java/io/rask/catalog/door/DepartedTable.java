package io.rask.catalog.door;

import io.rask.catalog.hierarchy.Locator;
import io.rask.catalog.lance.Manifests;
import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.problem.SecondLook;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.stereotype.Component;

/** A table that is dropped while a request reads it loses its files under the reader: the reader then learns that it is gone. */
@Component
final class DepartedTable implements SecondLook {
    private final Locator locator;
    private final Manifests manifests;

    DepartedTable(Locator locator, Manifests manifests) {
        this.locator = locator;
        this.manifests = manifests;
    }

    @Override
    public Optional<CatalogException> reason(HttpServletRequest request) {
        return request.getAttribute(DoorInterceptor.CALL) instanceof DoorCall call
                        && call.door().target() == Target.TABLE
                        && !call.door().mints()
                        && !isThere(call)
                ? Optional.of(call.absent())
                : Optional.empty();
    }

    private boolean isThere(DoorCall call) {
        return locator.locate(call.targetObject())
                .map(home -> manifests
                        .view(home.root())
                        .table(call.targetObject().stored())
                        .isPresent())
                .orElse(false);
    }
}
