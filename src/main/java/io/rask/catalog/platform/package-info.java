/**
 * What the whole house stands on: configuration, limits, health, metrics, request ids. Rule: a bad setting stops the start and
 * names the setting.
 */
@NullMarked
package io.rask.catalog.platform;

import org.jspecify.annotations.NullMarked;
