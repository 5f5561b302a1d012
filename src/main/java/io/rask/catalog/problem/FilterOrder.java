package io.rask.catalog.problem;

import org.springframework.core.Ordered;

/** The order of the filters, outermost first. Everything the framework adds comes later. */
public final class FilterOrder {
    public static final int REQUEST_ID = Ordered.HIGHEST_PRECEDENCE;
    /** Begins the time a request has. */
    public static final int BOUND = REQUEST_ID + 5;
    /** Turns what later filters throw into problem documents. */
    public static final int PROBLEMS = REQUEST_ID + 10;
    /** Reads the object id from the raw address. */
    public static final int RAW_PATH = REQUEST_ID + 20;
    /** Says who asks, before a byte of the body is read. */
    public static final int IDENTITY = REQUEST_ID + 30;

    private FilterOrder() {}
}
