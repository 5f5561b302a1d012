package io.rask.catalog.door;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** An answer of which a copy is kept while it goes out, once somebody asks for that; as long as it is not too large. */
final class AnswerCapture extends HttpServletResponseWrapper {
    /** What a record can hold, sealed and as text. */
    private static final int MOST = 8 << 20;

    private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
    private boolean capturing;
    private boolean cut;

    AnswerCapture(HttpServletResponse response) {
        super(response);
    }

    void begin() {
        capturing = true;
    }

    /** What went out since {@link #begin}; empty where that was too much. */
    Optional<byte[]> body() {
        return cut ? Optional.empty() : Optional.of(copy.toByteArray());
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        ServletOutputStream out = super.getOutputStream();
        return capturing ? new Tee(out) : out;
    }

    @Override
    public void reset() {
        super.reset();
        copy.reset();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        copy.reset();
    }

    private final class Tee extends ServletOutputStream {
        private final ServletOutputStream out;

        private Tee(ServletOutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            out.write(bytes, offset, length);
            cut |= copy.size() + length > MOST;
            if (!cut) {
                copy.write(bytes, offset, length);
            }
        }

        @Override
        public void flush() throws IOException {
            out.flush();
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
