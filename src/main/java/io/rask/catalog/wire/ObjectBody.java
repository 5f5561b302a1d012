package io.rask.catalog.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the body of any operation on an object may carry beside its own fields. */
public interface ObjectBody {
    /** The id of the object; null and empty leave it to the path. */
    @Nullable
    List<@Nullable String> id();

    /** Named values that belong to the request, such as {@code header.x-trace} for a header the client could not set. */
    @Nullable
    Map<String, @Nullable String> context();
}
