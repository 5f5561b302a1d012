package io.rask.catalog.problem;

import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Pipeline;
import org.apache.catalina.Valve;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;

/** Puts {@link ProblemValve} where the container and the framework would put their own pages. */
@Component
final class ProblemValveCustomizer implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {
    private final ProblemWriter problems;

    ProblemValveCustomizer(ProblemWriter problems) {
        this.problems = problems;
    }

    /** After the framework's customizers, whose valve is taken out again. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void customize(ConfigurableTomcatWebServerFactory factory) {
        factory.addContextCustomizers(this::install);
    }

    private void install(Context context) {
        Container host = context.getParent();
        Pipeline pipeline = host.getPipeline();
        for (Valve valve : pipeline.getValves()) {
            if (valve instanceof ErrorReportValve) {
                pipeline.removeValve(valve);
            }
        }
        pipeline.addValve(new ProblemValve(problems));
        if (host instanceof StandardHost standard) {
            // The host adds its own page unless a valve of the class it looks for is there already.
            standard.setErrorReportValveClass(ProblemValve.class.getName());
        }
    }
}
