package io.rask.catalog.problem;

/** What an operator decides about error answers. */
public interface ProblemSettings {
    /** The HTTP status of code 0: 501, or 406 as the specification has it. */
    int unsupportedStatus();
}
