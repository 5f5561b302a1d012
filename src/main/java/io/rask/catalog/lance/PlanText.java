package io.rask.catalog.lance;

import java.util.regex.Pattern;

/** The text of a plan without where the table lives. */
final class PlanText {
    private static final Pattern PLACE = Pattern.compile("\\buri=[^,\\n]*");
    private static final Pattern SCHEME = Pattern.compile("^\\w+:/*");

    private PlanText() {}

    /** @param place where the table lives, which may hold what would end an address */
    static String cleaned(String plan, String place) {
        String bare = SCHEME.matcher(place).replaceFirst("");
        bare = bare.startsWith("/") ? bare.substring(1) : bare;
        return PLACE.matcher(plan.replace(bare, "table")).replaceAll("uri=table");
    }
}
