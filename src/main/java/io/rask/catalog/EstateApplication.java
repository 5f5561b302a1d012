package io.rask.catalog;

import io.rask.catalog.estate.Reconciliation;
import io.rask.catalog.estate.Report;
import io.rask.catalog.job.WorkerFolders;
import io.rask.catalog.platform.CatalogProperties;
import io.rask.catalog.problem.CatalogException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ComponentScan;
import tools.jackson.databind.json.JsonMapper;

/**
 * Work on the installation as a whole, started by hand beside the servers: {@code estate reconcile}. It has no auto-configuration, no
 * doors and no port. No stereotype, so that the server's own scan passes it by.
 */
@ComponentScan({
    "io.rask.catalog.platform",
    "io.rask.catalog.record",
    "io.rask.catalog.lance",
    "io.rask.catalog.hierarchy",
    "io.rask.catalog.access",
    "io.rask.catalog.storage",
    "io.rask.catalog.lifecycle",
    "io.rask.catalog.event",
    "io.rask.catalog.job",
    "io.rask.catalog.estate"
})
@EnableConfigurationProperties(CatalogProperties.class)
class EstateApplication {
    private static final int CLEAN = 0;
    private static final int FOUND = 1;
    private static final int UNCHECKED = 2;
    private static final int FAILED = 3;
    private static final int MISUSED = 4;
    private static final int SHOWN = 20;
    private static final String TEMPORARY = "java.io.tmpdir";
    private static final String CONSOLE = "logging.threshold.console";

    private EstateApplication() {}

    /**
     * What was asked for.
     *
     * @param settings what is left of the arguments: settings of the catalog
     */
    private record Request(
            boolean repair,
            boolean json,
            @Nullable String owner,
            @Nullable Duration grace,
            List<String> settings) {
        static Request of(List<String> arguments) {
            boolean repair = false;
            boolean json = false;
            String owner = null;
            Duration grace = null;
            List<String> settings = new ArrayList<>();
            for (String argument : arguments) {
                if (argument.equals("--repair")) {
                    repair = true;
                } else if (argument.equals("--json")) {
                    json = true;
                } else if (argument.startsWith("--owner=")) {
                    owner = subject(argument.substring("--owner=".length()));
                } else if (argument.startsWith("--grace=")) {
                    grace = DurationStyle.detectAndParse(argument.substring("--grace=".length()));
                } else if (argument.matches("--[a-z0-9.-]+=.*")) {
                    settings.add(argument);
                } else {
                    throw new IllegalArgumentException("unknown argument " + argument);
                }
            }
            return new Request(repair, json, owner, grace, settings);
        }

        private static String subject(String owner) {
            if (!owner.matches("user:.+")) {
                throw new IllegalArgumentException("--owner is user: and the name that GET /v1/me tells");
            }
            return owner.substring("user:".length());
        }
    }

    /** Runs a command of the operator's and ends the process with what came of it. */
    static void start(String[] args) throws IOException {
        Path folder = WorkerFolders.make();
        System.setProperty(TEMPORARY, folder.toString());
        if (System.getProperty(CONSOLE) == null) {
            // What is found is all that is printed, so that other programs can read it.
            System.setProperty(CONSOLE, "off");
        }
        int end = FAILED;
        try {
            end = run(List.of(args), System.out, System.err);
        } finally {
            WorkerFolders.remove(folder);
        }
        System.exit(end);
    }

    /**
     * Runs a command.
     *
     * @param out for the report
     * @param progress for all else
     * @return 0 when nothing differs any more, 1 when something does, 2 when something could not be looked at, 3 when it failed, 4
     *     for arguments that make no sense
     */
    static int run(List<String> arguments, PrintStream out, PrintStream progress) {
        Request request;
        try {
            if (arguments.isEmpty() || !arguments.getFirst().equals("reconcile")) {
                throw new IllegalArgumentException("the command is: estate reconcile");
            }
            request = Request.of(arguments.subList(1, arguments.size()));
        } catch (IllegalArgumentException e) {
            progress.println("catalog: " + e.getMessage());
            return MISUSED;
        }
        SpringApplication application = new SpringApplication(EstateApplication.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setLazyInitialization(true);
        application.setRegisterShutdownHook(false);
        try (ConfigurableApplicationContext context =
                application.run(request.settings().toArray(String[]::new))) {
            return reconcile(request, context, out, progress);
        } catch (CatalogException e) {
            progress.println("catalog: " + e.text());
            return FAILED;
        } catch (RuntimeException e) {
            progress.println("catalog: the reconciliation failed: " + e);
            return FAILED;
        }
    }

    private static int reconcile(
            Request request, ConfigurableApplicationContext context, PrintStream out, PrintStream progress) {
        ObjectProvider<Reconciliation> provider = context.getBeanProvider(Reconciliation.class);
        Reconciliation reconciliation = provider.getIfAvailable();
        if (reconciliation == null) {
            progress.println("catalog: lance.fga.enabled is not set, so there are no rights to look at");
            return FAILED;
        }
        Duration grace = Optional.ofNullable(request.grace())
                .orElseGet(
                        () -> context.getBean(CatalogProperties.class).limits().requestDeadline());
        Report report = reconciliation.run(
                new Reconciliation.Wish(request.repair(), request.owner(), grace), progress::println);
        if (request.json()) {
            out.println(JsonMapper.shared().writeValueAsString(report));
        } else {
            print(report, out);
        }
        out.flush();
        if (!report.isClean()) {
            return FOUND;
        }
        return report.isWhole() ? CLEAN : UNCHECKED;
    }

    private static void print(Report report, PrintStream out) {
        out.println(report.facts() + " facts, " + report.objects() + " objects");
        for (Report.Category category : report.categories()) {
            String count = category.count() == null ? "unchecked" : String.valueOf(category.count());
            String repaired = category.repaired() == 0 ? "" : ", repaired " + category.repaired();
            String why = category.unchecked() == null ? "" : " (" + category.unchecked() + ")";
            out.println(category.name() + ": " + count + why + repaired);
            category.found().stream().limit(SHOWN).forEach(name -> out.println("  " + name));
            int more = category.left() + category.repaired() - SHOWN;
            if (more > 0) {
                out.println("  and " + more + " more");
            }
        }
    }
}
