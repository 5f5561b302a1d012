package io.rask.catalog.testing;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives one object to the constructors of all tests that ask for it. It is made for the first, and ends with the last test of the
 * process.
 */
public abstract class OncePerProcess<T extends AutoCloseable> implements ParameterResolver {
    private final Class<T> type;
    private final Supplier<T> maker;

    protected OncePerProcess(Class<T> type, Supplier<T> maker) {
        this.type = type;
        this.maker = maker;
    }

    @Override
    public final boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == type;
    }

    @Override
    public final Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(type))
                .computeIfAbsent(type, any -> maker.get());
    }
}
