package io.rask.catalog.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A page of projects. */
public record ListProjectsResponse(
        List<ProjectResponse> projects, @Nullable String pageToken) {}
