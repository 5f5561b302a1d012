package io.rask.catalog.lance.arrow;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.FloatingPointVector;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Numbers into other types of numbers. */
final class NumberFits {
    private static final double LONG_LIMIT = 0x1p63;

    private NumberFits() {}

    static @Nullable Fit plan(ArrowType source, ArrowType target, String path, boolean rounding) {
        if (target instanceof ArrowType.Int to && source instanceof ArrowType.Int from) {
            return integers(from, to, path);
        }
        if (target instanceof ArrowType.FloatingPoint && source instanceof ArrowType.Int from) {
            return integersToFloats(from, path, rounding);
        }
        if (target instanceof ArrowType.FloatingPoint && source instanceof ArrowType.FloatingPoint) {
            return floats(path, rounding);
        }
        if (target instanceof ArrowType.Decimal to && source instanceof ArrowType.Decimal) {
            return decimals(to, path);
        }
        return null;
    }

    private static Fit integers(ArrowType.Int from, ArrowType.Int to, String path) {
        return (source, target) -> {
            BaseIntVector in = (BaseIntVector) source;
            BaseIntVector out = (BaseIntVector) target;
            Values.convert(source, (BaseFixedWidthVector) target, path, i -> {
                long value = in.getValueAsLong(i);
                boolean huge = !from.getIsSigned() && value < 0;
                if (!fits(value, huge, to)) {
                    return false;
                }
                out.setWithPossibleTruncate(i, value);
                return true;
            });
        };
    }

    /** @param huge the value is one of the unsigned 64-bit numbers that have no signed equal */
    private static boolean fits(long value, boolean huge, ArrowType.Int to) {
        int bits = to.getBitWidth();
        if (huge) {
            return bits == 64 && !to.getIsSigned();
        }
        if (!to.getIsSigned()) {
            return value >= 0 && (bits == 64 || value >> bits == 0);
        }
        return bits == 64 || (value >= -(1L << (bits - 1)) && value < 1L << (bits - 1));
    }

    private static Fit integersToFloats(ArrowType.Int from, String path, boolean rounding) {
        return (source, target) -> {
            BaseIntVector in = (BaseIntVector) source;
            FloatingPointVector out = (FloatingPointVector) target;
            Values.convert(source, (BaseFixedWidthVector) target, path, i -> {
                long value = in.getValueAsLong(i);
                if (!from.getIsSigned() && value < 0) {
                    return false;
                }
                set(out, i, value);
                double stored = out.getValueAsDouble(i);
                return Double.isFinite(stored) && (rounding || (stored < LONG_LIMIT && (long) stored == value));
            });
        };
    }

    private static Fit floats(String path, boolean rounding) {
        return (source, target) -> {
            FloatingPointVector in = (FloatingPointVector) source;
            FloatingPointVector out = (FloatingPointVector) target;
            Values.convert(source, (BaseFixedWidthVector) target, path, i -> {
                double value = in.getValueAsDouble(i);
                set(out, i, value);
                double stored = out.getValueAsDouble(i);
                boolean same = Double.compare(stored, value) == 0 || Double.isNaN(value);
                return same || (rounding && Double.isFinite(stored));
            });
        };
    }

    /** A vector of halves takes no double. */
    private static void set(FloatingPointVector out, int index, double value) {
        if (out instanceof Float2Vector halves) {
            halves.setWithPossibleTruncate(index, (float) value);
        } else {
            out.setWithPossibleTruncate(index, value);
        }
    }

    private static Fit decimals(ArrowType.Decimal to, String path) {
        return (source, target) -> Values.convert(source, (BaseFixedWidthVector) target, path, i -> {
            BigDecimal value = ((BigDecimal) source.getObject(i)).stripTrailingZeros();
            if (value.scale() > to.getScale()) {
                return false;
            }
            BigDecimal scaled = value.setScale(to.getScale(), RoundingMode.UNNECESSARY);
            return scaled.precision() <= to.getPrecision() && set(target, i, scaled);
        });
    }

    private static boolean set(FieldVector target, int index, BigDecimal value) {
        switch (target) {
            case DecimalVector decimal -> decimal.set(index, value);
            case Decimal256Vector decimal -> decimal.set(index, value);
            default -> throw new IllegalStateException("not a decimal vector");
        }
        return true;
    }
}
