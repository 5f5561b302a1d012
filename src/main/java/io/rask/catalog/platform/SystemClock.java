package io.rask.catalog.platform;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The one clock of the process; it tells UTC. */
@Configuration(proxyBeanMethods = false)
class SystemClock {
    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }
}
