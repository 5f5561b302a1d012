package io.rask.catalog.wire;

import io.rask.catalog.problem.CatalogException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.DeserializationProblemHandler;

/** Refuses a branch in the body of an operation on a whole object. Any other field that is not known there is passed over. */
final class UnreadBranch extends DeserializationProblemHandler {
    @Override
    public boolean handleUnknownProperty(
            DeserializationContext context,
            JsonParser parser,
            ValueDeserializer<?> deserializer,
            Object beanOrClass,
            String name) {
        Class<?> type = beanOrClass instanceof Class<?> known ? known : beanOrClass.getClass();
        if (name.equals("branch") && ObjectBody.class.isAssignableFrom(type) && !isEmpty(parser)) {
            throw CatalogException.invalid("The operation is not one on a branch; leave the branch out.");
        }
        return false;
    }

    private static boolean isEmpty(JsonParser parser) {
        return parser.currentToken() == JsonToken.VALUE_NULL
                || (parser.currentToken() == JsonToken.VALUE_STRING
                        && parser.getString().isEmpty());
    }
}
