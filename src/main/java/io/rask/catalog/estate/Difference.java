package io.rask.catalog.estate;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Where what the engine says differs from what is there, by the engine's names.
 *
 * @param ghosts what facts are about, or edges lead from, that is not there
 * @param untied what is there and not tied to what it lies in
 * @param wrong by object, what it is tied to besides, or instead
 * @param headless projects that nobody administers
 * @param facts how many facts were looked at
 * @param isCut whether there is more than one look keeps
 */
record Difference(
        Set<String> ghosts,
        Set<String> untied,
        Map<String, Set<String>> wrong,
        Set<String> headless,
        long facts,
        boolean isCut) {
    boolean isNone() {
        return ghosts.isEmpty() && untied.isEmpty() && wrong.isEmpty() && headless.isEmpty();
    }

    /** What another look, some time later, finds too. What only one of them saw was being made, renamed or dropped. */
    Difference and(Difference later) {
        Map<String, Set<String>> both = new HashMap<>();
        later.wrong.forEach((object, parents) -> {
            Set<String> stayed = common(wrong.getOrDefault(object, Set.of()), parents);
            if (!stayed.isEmpty()) {
                both.put(object, stayed);
            }
        });
        return new Difference(
                common(ghosts, later.ghosts),
                common(untied, later.untied),
                both,
                common(headless, later.headless),
                later.facts,
                isCut || later.isCut);
    }

    private static Set<String> common(Set<String> one, Set<String> other) {
        Set<String> common = new LinkedHashSet<>(one);
        common.retainAll(other);
        return common;
    }
}
