package io.rask.catalog.lance.arrow;

import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.jspecify.annotations.Nullable;

/** Dates, times, timestamps and durations into another unit of the same kind; never a zoned timestamp into one without zone. */
final class TimeFits {
    private static final long DAY = 86_400_000_000_000L;

    private TimeFits() {}

    static @Nullable Fit plan(ArrowType source, ArrowType target, String path) {
        boolean sameKind = switch (target) {
            case ArrowType.Date ignored -> source instanceof ArrowType.Date;
            case ArrowType.Time ignored -> source instanceof ArrowType.Time;
            case ArrowType.Duration ignored -> source instanceof ArrowType.Duration;
            case ArrowType.Timestamp to -> source instanceof ArrowType.Timestamp from && hasZone(from) == hasZone(to);
            default -> false;
        };
        return sameKind ? scaled(nanos(source), nanos(target), path) : null;
    }

    private static boolean hasZone(ArrowType.Timestamp type) {
        return type.getTimezone() != null && !type.getTimezone().isEmpty();
    }

    private static Fit scaled(long from, long to, String path) {
        return (source, target) -> {
            BaseFixedWidthVector out = (BaseFixedWidthVector) target;
            int inWidth = ((BaseFixedWidthVector) source).getTypeWidth();
            Values.convert(source, out, path, i -> {
                long value = Values.number(source.getDataBuffer(), inWidth, i);
                long high = Math.multiplyHigh(value, Math.max(1, from / to));
                long scaled = from >= to ? value * (from / to) : value / (to / from);
                boolean exact = from >= to ? high == scaled >> 63 : scaled * (to / from) == value;
                return exact && store(out.getDataBuffer(), out.getTypeWidth(), i, scaled);
            });
        };
    }

    private static boolean store(ArrowBuf data, int width, int index, long value) {
        if (width == Long.BYTES) {
            data.setLong((long) index * width, value);
            return true;
        }
        data.setInt((long) index * width, (int) value);
        return (int) value == value;
    }

    /** Nanoseconds in one unit of the type. */
    private static long nanos(ArrowType type) {
        return switch (type) {
            case ArrowType.Date date -> date.getUnit() == DateUnit.DAY ? DAY : nanos(TimeUnit.MILLISECOND);
            case ArrowType.Time time -> nanos(time.getUnit());
            case ArrowType.Timestamp timestamp -> nanos(timestamp.getUnit());
            case ArrowType.Duration duration -> nanos(duration.getUnit());
            default -> throw new IllegalStateException("not a type of time: " + type);
        };
    }

    private static long nanos(TimeUnit unit) {
        return switch (unit) {
            case SECOND -> 1_000_000_000L;
            case MILLISECOND -> 1_000_000L;
            case MICROSECOND -> 1_000L;
            case NANOSECOND -> 1L;
        };
    }
}
