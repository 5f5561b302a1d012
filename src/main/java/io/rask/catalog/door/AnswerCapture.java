package io.rask.catalog.door;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * An answer that is held back, once somebody asks for that, until what becomes of its request is recorded: whoever has it can rely on
 * a repeat. One that is too large goes out at once.
 */
final class AnswerCapture extends HttpServletResponseWrapper {
    /** What a record can hold, sealed and as text. */
    private static final int MOST = 8 << 20;

    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private boolean capturing;
    private boolean cut;

    AnswerCapture(HttpServletResponse response) {
        super(response);
    }

    void begin() {
        capturing = true;
    }

    /** What was answered since {@link #begin}; empty where that was too much. */
    Optional<byte[]> body() {
        return cut ? Optional.empty() : Optional.of(held.toByteArray());
    }

    /** Lets the answer go out. */
    void release() throws IOException {
        if (capturing && !cut) {
            capturing = false;
            held.writeTo(super.getOutputStream());
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        if (!capturing || cut) {
            super.flushBuffer();
        }
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream out = super.getOutputStream();
        return capturing ? new Held(out) : out;
    }

    @Override
    public void reset() {
        super.reset();
        held.reset();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        held.reset();
    }

    private final class Held extends ServletOutputStream {
        private final ServletOutputStream out;

        private Held(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (!cut && held.size() + length > MOST) {
                cut = true;
                held.writeTo(out);
            }
            if (cut) {
                out.write(bytes, offset, length);
            } else {
                held.write(bytes, offset, length);
            }
        }

        @Override
        public void flush() throws IOException {
            if (cut) {
                out.flush();
            }
        }

        @Override
        public boolean isReady() {
            return out.isReady();
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            out.setWriteListener(listener);
        }
    }
}
