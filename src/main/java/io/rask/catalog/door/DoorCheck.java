package io.rask.catalog.door;

import io.rask.catalog.id.RouteTails;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Stops the start when a route of the API declares no door, or could not be reached with every id. */
@Component
final class DoorCheck implements SmartInitializingSingleton {
    private static final String API = "/v1";
    private static final String ALIAS = "/management/v1";

    private final RequestMappingHandlerMapping routes;

    DoorCheck(@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping routes) {
        this.routes = routes;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<String> faults = new ArrayList<>();
        routes.getHandlerMethods().forEach((route, handler) -> faults.addAll(faults(route, handler)));
        if (!faults.isEmpty()) {
            throw new IllegalStateException("Routes are declared wrongly: " + String.join("; ", faults));
        }
    }

    private static List<String> faults(RequestMappingInfo route, HandlerMethod handler) {
        List<String> faults = new ArrayList<>();
        Set<String> patterns = route.getPatternValues();
        if (patterns.stream().anyMatch(DoorCheck::isApi) && !handler.hasMethodAnnotation(Door.class)) {
            faults.add(route + " declares no door");
        }
        for (String pattern : patterns) {
            if (!RouteTails.covers(pattern)) {
                faults.add(pattern + " ends in an operation the path reader does not know");
            }
            if (pattern.startsWith(ALIAS)) {
                faults.add(pattern + " is an alias, which the path reader resolves");
            }
        }
        Door door = handler.getMethodAnnotation(Door.class);
        if (door != null && door.target() == Target.NONE && door.asks() == Asked.TARGET) {
            faults.add(route + " leads to nothing in particular and does not say what is asked");
        }
        if (DoorShape.takesArrow(handler) && DoorShape.bodyType(handler, false).isPresent()) {
            faults.add(route + " takes its body both as JSON and as Arrow");
        }
        return faults;
    }

    private static boolean isApi(String pattern) {
        return pattern.equals(API) || pattern.startsWith(API + "/");
    }
}
