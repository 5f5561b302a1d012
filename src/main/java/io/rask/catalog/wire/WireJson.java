package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * How JSON is read and written on the wire: snake case, nulls left out, unknown fields ignored, and no value of one type taken for
 * another.
 */
@Configuration(proxyBeanMethods = false)
public class WireJson {
    private static final int MAX_DEPTH = 100;
    private static final int MAX_NUMBER_LENGTH = 100;

    private static final StreamReadConstraints BOUNDS = StreamReadConstraints.builder()
            .maxNestingDepth(MAX_DEPTH)
            .maxNumberLength(MAX_NUMBER_LENGTH)
            .build();

    /** The mapper for bodies, outside the application as well. */
    public static JsonMapper mapper() {
        JsonMapper.Builder builder = JsonMapper.builder(
                JsonFactory.builder().streamReadConstraints(BOUNDS).build());
        strict(builder);
        return builder.build();
    }

    /** The mapper for queries, where every value is text and a single one may stand for a list. */
    public static JsonMapper queryMapper() {
        return JsonMapper.builder()
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
                .build();
    }

    @Bean
    JsonMapper wireMapper() {
        return mapper();
    }

    private static void strict(MapperBuilder<?, ?> builder) {
        builder.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .changeDefaultPropertyInclusion(
                        any -> JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .addHandler(new UnreadBranch())
                .withCoercionConfig(LogicalType.Textual, text -> {
                    for (CoercionInputShape shape : new CoercionInputShape[] {
                        CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
                    }) {
                        text.setCoercion(shape, CoercionAction.Fail);
                    }
                });
    }
}
