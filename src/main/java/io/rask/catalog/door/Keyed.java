package io.rask.catalog.door;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A handler whose request may carry an {@code Idempotency-Key}: a repeat is answered as the first request was, and does nothing. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Keyed {
    /**
     * Whether the request may be carried out again where nobody knows what became of the first: it takes a name that must be free,
     * so the second finds the first's work and is refused. One that overwrites is never repeated.
     */
    boolean repeatable() default false;
}
