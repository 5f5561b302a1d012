package io.rask.catalog.id;

import io.rask.catalog.problem.CatalogException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The id of an object as it stands in a request's path, still percent-encoded.
 *
 * <p>Two families of clients disagree about {@code +}: one form-encodes paths and means a space, the others mean a plus sign. The
 * first always sends a {@code delimiter} query and the id in the body as well, which settles it.
 *
 * @param text the raw text; it may hold slashes and semicolons, which belong to the id
 */
public record RawId(String text) {

    /**
     * Decodes and splits the id, and holds it against the id of the body.
     *
     * @param delimiter the request's delimiter
     * @param delimiterGiven whether the request named its delimiter itself
     * @param bodyId the id in the body; null and empty mean there is none
     * @throws CatalogException code 13 for a bad id and for a body that names another object
     */
    public ObjectId resolve(Delimiter delimiter, boolean delimiterGiven, @Nullable List<@Nullable String> bodyId) {
        boolean fromBody = bodyId != null && !bodyId.isEmpty();
        if (!text.contains("+")) {
            ObjectId only = delimiter.split(PercentDecoding.path(text));
            return fromBody && !only.segments().equals(bodyId) ? refuse(only) : only;
        }
        ObjectId literal = delimiter.split(PercentDecoding.path(text));
        ObjectId spaced = delimiter.split(PercentDecoding.form(text));
        ObjectId preferred = delimiterGiven ? spaced : literal;
        if (!fromBody || preferred.segments().equals(bodyId)) {
            return preferred;
        }
        ObjectId other = delimiterGiven ? literal : spaced;
        return other.segments().equals(bodyId) ? other : refuse(preferred);
    }

    private static ObjectId refuse(ObjectId path) {
        throw CatalogException.invalid("The id in the body is not the id in the path, '" + path
                + "'; send the same id or leave it out of the body.");
    }
}
