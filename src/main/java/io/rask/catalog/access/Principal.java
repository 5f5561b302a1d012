package io.rask.catalog.access;

/**
 * Who asks.
 *
 * @param subject the name the permission model knows the caller by
 * @param anonymous whether nobody was identified because the server asks nobody
 */
public record Principal(String subject, boolean anonymous) {
    public static final Principal ANONYMOUS = new Principal("anonymous", true);
}
