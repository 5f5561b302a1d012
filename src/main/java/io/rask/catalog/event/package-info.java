/**
 * What happened in the catalog, told after the fact: a durable log on the control root that every server reads alike, and webhooks that
 * follow it. The rule: the log never fails the work it tells of.
 */
@NullMarked
package io.rask.catalog.event;

import org.jspecify.annotations.NullMarked;
