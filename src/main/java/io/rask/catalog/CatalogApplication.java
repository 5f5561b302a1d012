package io.rask.catalog;

import java.io.IOException;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The catalog server; with {@code worker} as the first argument a worker for its jobs, with {@code estate} a command of the operator's. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class CatalogApplication {
    private static final String WORKER = "worker";
    private static final String ESTATE = "estate";

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length > 0 && args[0].equals(WORKER)) {
            WorkerApplication.run(Arrays.copyOfRange(args, 1, args.length));
        } else if (args.length > 0 && args[0].equals(ESTATE)) {
            EstateApplication.start(Arrays.copyOfRange(args, 1, args.length));
        } else {
            SpringApplication.run(CatalogApplication.class, args);
        }
    }
}
