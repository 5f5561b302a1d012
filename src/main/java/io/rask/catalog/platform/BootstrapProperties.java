package io.rask.catalog.platform;

import org.jspecify.annotations.Nullable;

/**
 * Who is there before anybody could have been let in.
 *
 * @param administrator the subject that administers the installation from the start
 */
public record BootstrapProperties(@Nullable String administrator) {}
