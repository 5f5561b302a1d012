package io.rask.catalog.lance;

import java.util.Arrays;

/** Keeps the nearest of many rows. Of two rows equally near, the one with the smaller id is nearer. */
final class NearestRows {
    private final int most;
    private long[] ids = new long[64];
    private float[] distances = new float[64];
    private int size;

    /** @param most how many to keep, at least one */
    NearestRows(int most) {
        this.most = most;
    }

    /** Offers a row; the farthest kept row makes room for a nearer one. */
    void offer(long id, float distance) {
        if (size < most) {
            grow();
            ids[size] = id;
            distances[size] = distance;
            up(size++);
        } else if (farther(distances[0], ids[0], distance, id)) {
            ids[0] = id;
            distances[0] = distance;
            down(0);
        }
    }

    int size() {
        return size;
    }

    long id(int index) {
        return ids[index];
    }

    float distance(int index) {
        return distances[index];
    }

    /** Puts the nearest first; nothing may be offered afterwards. */
    void sort() {
        int all = size;
        while (size > 1) {
            swap(0, --size);
            down(0);
        }
        size = all;
    }

    private void grow() {
        if (size == ids.length) {
            int length = (int) Math.min(most, 2L * size);
            ids = Arrays.copyOf(ids, length);
            distances = Arrays.copyOf(distances, length);
        }
    }

    private void up(int from) {
        int child = from;
        while (child > 0 && farther(child, (child - 1) / 2)) {
            swap(child, (child - 1) / 2);
            child = (child - 1) / 2;
        }
    }

    private void down(int from) {
        int parent = from;
        while (true) {
            int largest = parent;
            for (int child = 2 * parent + 1; child <= 2 * parent + 2 && child < size; child++) {
                largest = farther(child, largest) ? child : largest;
            }
            if (largest == parent) {
                return;
            }
            swap(parent, largest);
            parent = largest;
        }
    }

    private boolean farther(int a, int b) {
        return farther(distances[a], ids[a], distances[b], ids[b]);
    }

    private static boolean farther(float distance, long id, float otherDistance, long otherId) {
        int order = Float.compare(distance, otherDistance);
        return order > 0 || (order == 0 && id > otherId);
    }

    private void swap(int a, int b) {
        long id = ids[a];
        float distance = distances[a];
        ids[a] = ids[b];
        distances[a] = distances[b];
        ids[b] = id;
        distances[b] = distance;
    }
}
