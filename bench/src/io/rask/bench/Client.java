package io.rask.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.TimeValue;

/**
 * The one client that every server is measured with. A busy server is asked again when it says so, as real clients do; anything
 * else but a success is an error: a refusal would be quick, and no work.
 */
final class Client implements AutoCloseable {
    private final String url;
    private final CloseableHttpClient http;

    Client(String url, int connections) {
        this.url = url;
        this.http = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(connections)
                        .setMaxConnTotal(connections)
                        .build())
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(10, TimeUnit.MINUTES)
                        .build())
                .setRetryStrategy(new DefaultHttpRequestRetryStrategy(60, TimeValue.ofSeconds(1)))
                .disableCookieManagement()
                .disableContentCompression()
                .build();
    }

    byte[] get(String path) throws IOException {
        return send(new HttpGet(url + path));
    }

    byte[] post(String path, String json) throws IOException {
        HttpPost request = new HttpPost(url + path);
        request.setEntity(new ByteArrayEntity(json.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON));
        return send(request);
    }

    byte[] arrow(String path, byte[] stream) throws IOException {
        HttpPost request = new HttpPost(url + path);
        request.setEntity(new ByteArrayEntity(stream, ArrowBodies.STREAM));
        return send(request);
    }

    /** Sends an Arrow body that is written as it goes. */
    byte[] arrow(String path, ArrowBodies.Body body) throws IOException {
        HttpPost request = new HttpPost(url + path);
        request.setEntity(new Chunked(body));
        return send(request);
    }

    /** Reads an answer to its end without keeping it, and returns its length. */
    long drain(String path, String json) throws IOException {
        HttpPost request = new HttpPost(url + path);
        request.setEntity(new ByteArrayEntity(json.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON));
        return http.execute(request, response -> {
            try (InputStream in = success(request, response).getContent()) {
                byte[] buffer = new byte[1 << 18];
                long length = 0;
                for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                    length += n;
                }
                return length;
            }
        });
    }

    private byte[] send(HttpUriRequestBase request) throws IOException {
        return http.execute(request, response -> {
            HttpEntity entity = success(request, response);
            return entity == null ? new byte[0] : EntityUtils.toByteArray(entity);
        });
    }

    private static HttpEntity success(HttpUriRequestBase request, ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (response.getCode() >= 300) {
            String text = entity == null ? "" : new String(EntityUtils.toByteArray(entity), StandardCharsets.UTF_8);
            throw new IOException(request.getMethod() + " " + request.getRequestUri() + ": " + response.getCode() + " "
                    + text.substring(0, Math.min(300, text.length())));
        }
        return entity;
    }

    @Override
    public void close() throws IOException {
        http.close();
    }

    private static final class Chunked extends AbstractHttpEntity {
        private final ArrowBodies.Body body;

        Chunked(ArrowBodies.Body body) {
            super(ArrowBodies.STREAM, null, true);
            this.body = body;
        }

        @Override
        public void writeTo(OutputStream out) throws IOException {
            body.writeTo(out);
        }

        @Override
        public InputStream getContent() {
            throw new UnsupportedOperationException("This body is only written");
        }

        @Override
        public boolean isRepeatable() {
            return false;
        }

        @Override
        public boolean isStreaming() {
            return true;
        }

        @Override
        public long getContentLength() {
            return -1;
        }

        @Override
        public void close() {}
    }
}
