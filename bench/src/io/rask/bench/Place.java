package io.rask.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where roots lie: a folder, or a bucket of the S3 test server whose objects are files in a folder. So a root is copied file by
 * file either way, with the attributes that the test server keeps beside them.
 */
record Place(Path folder, String address, List<String> storageOptions, Map<String, String> settings) {
    static Place disk(Path folder) {
        return new Place(folder, folder.toString(), List.of(), Map.of());
    }

    static Place bucket(Path folder, String bucket, String endpoint) {
        return new Place(
                folder.resolve(bucket),
                "s3://" + bucket,
                List.of(
                        "endpoint=" + endpoint,
                        "allow_http=true",
                        "access_key_id=test-access",
                        "secret_access_key=test-secret",
                        "region=us-east-1",
                        "virtual_hosted_style_request=false"),
                Map.of(
                        "LANCE_S3_ENDPOINT", endpoint,
                        "LANCE_S3_ACCESS_KEY_ID", "test-access",
                        "LANCE_S3_SECRET_ACCESS_KEY", "test-secret"));
    }

    Place child(String name) {
        return new Place(folder.resolve(name), address + "/" + name, storageOptions, settings);
    }

    /** Another place with the same content. */
    Place copiedTo(Place target) throws IOException {
        Files.createDirectories(target.folder());
        command("cp", "-a", "--reflink=auto", folder + "/.", target.folder().toString());
        return target;
    }

    void delete() throws IOException {
        command("rm", "-rf", folder.toString());
    }

    /** The bytes of all files of a part of this place. */
    long bytesOf(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(name))) {
            return files.filter(Files::isRegularFile).mapToLong(Place::size).sum();
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void command(String... words) throws IOException {
        try {
            int outcome = new ProcessBuilder(words).inheritIO().start().waitFor();
            if (outcome != 0) {
                throw new IOException(String.join(" ", words) + " ended with " + outcome);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
