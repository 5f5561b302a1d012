package io.rask.catalog.platform;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The number is one of a few. */
@Documented
@Constraint(validatedBy = OneOf.Check.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
@Retention(RetentionPolicy.RUNTIME)
@interface OneOf {
    int[] value();

    String message() default "must be one of {value}";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Compares with each. */
    final class Check implements ConstraintValidator<OneOf, Integer> {
        private int[] allowed = {};

        @Override
        public void initialize(OneOf constraint) {
            allowed = constraint.value();
        }

        @Override
        public boolean isValid(@Nullable Integer number, ConstraintValidatorContext context) {
            return number == null || Arrays.stream(allowed).anyMatch(one -> one == number);
        }
    }
}
