package io.rask.catalog.lance;

import org.apache.arrow.memory.ArrowBuf;

/** The distance of a vector of bytes from a row's vector of bytes. */
final class ByteDistance {
    private final DistanceMetric metric;
    private final boolean signed;
    private final int[] vector;
    private final double norm;

    ByteDistance(DistanceMetric metric, boolean signed, float[] vector) {
        this.metric = metric;
        this.signed = signed;
        this.vector = new int[vector.length];
        double squares = 0;
        for (int i = 0; i < vector.length; i++) {
            this.vector[i] = (int) vector[i];
            squares += vector[i] * vector[i];
        }
        this.norm = Math.sqrt(squares);
    }

    /** @param start where the row's vector begins */
    float to(ArrowBuf data, long start) {
        return switch (metric) {
            case L2 -> squares(data, start);
            case DOT -> 1 - product(data, start);
            case COSINE -> (float) (1 - product(data, start) / (norm * norm(data, start)));
            case HAMMING -> bits(data, start);
        };
    }

    private int element(ArrowBuf data, long at) {
        byte element = data.getByte(at);
        return signed ? element : element & 0xFF;
    }

    private float squares(ArrowBuf data, long start) {
        long sum = 0;
        for (int i = 0; i < vector.length; i++) {
            long difference = vector[i] - element(data, start + i);
            sum += difference * difference;
        }
        return sum;
    }

    private float product(ArrowBuf data, long start) {
        long sum = 0;
        for (int i = 0; i < vector.length; i++) {
            sum += (long) vector[i] * element(data, start + i);
        }
        return sum;
    }

    private double norm(ArrowBuf data, long start) {
        long sum = 0;
        for (int i = 0; i < vector.length; i++) {
            long element = element(data, start + i);
            sum += element * element;
        }
        return Math.sqrt(sum);
    }

    private float bits(ArrowBuf data, long start) {
        int sum = 0;
        for (int i = 0; i < vector.length; i++) {
            sum += Integer.bitCount((vector[i] ^ data.getByte(start + i)) & 0xFF);
        }
        return sum;
    }
}
