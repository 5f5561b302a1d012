package io.rask.catalog.access;

import java.util.Collection;
import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/** Without an engine nobody owns anything. */
@Component
@ConditionalOnProperty(name = "lance.fga.enabled", havingValue = "false", matchIfMissing = true)
final class NoOwnership implements Ownership {
    @Override
    public boolean isKept() {
        return false;
    }

    @Override
    public void made(Principal maker, AccessObject object, AccessObject parent) {
        // There is nobody to tell.
    }

    @Override
    public void tied(Map<AccessObject, AccessObject> parents) {
        // There is nobody to tell.
    }

    @Override
    public boolean isTied(AccessObject object, AccessObject parent) {
        return true;
    }

    @Override
    public int ended(Collection<AccessObject> gone) {
        return 0;
    }

    @Override
    public Runnable moving(AccessObject from, AccessObject to, AccessObject newParent) {
        return () -> {};
    }
}
