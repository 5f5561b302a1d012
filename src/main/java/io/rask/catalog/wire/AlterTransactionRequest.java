package io.rask.catalog.wire;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The body of a change of a transaction. */
public record AlterTransactionRequest(
        @Nullable List<@Nullable String> id,
        @Nullable Map<String, @Nullable String> context,
        @NotEmpty @Size(max = 1000) List<@Valid @NotNull Action> actions)
        implements ObjectBody {

    /** One change: exactly one of the fields is there. */
    public record Action(
            @Valid @JsonProperty("setStatusAction") @JsonAlias("set_status_action") @Nullable
            SetStatus setStatusAction,

            @Valid @JsonProperty("setPropertyAction") @JsonAlias("set_property_action") @Nullable
            SetProperty setPropertyAction,

            @Valid @JsonProperty("unsetPropertyAction") @JsonAlias("unset_property_action") @Nullable
            UnsetProperty unsetPropertyAction) {

        /** How many changes it asks for. */
        public long count() {
            return Stream.of(setStatusAction, setPropertyAction, unsetPropertyAction)
                    .filter(Objects::nonNull)
                    .count();
        }
    }

    /** Moves the transaction to a status. */
    public record SetStatus(@NotNull TransactionStatus status) {}

    /**
     * Gives a property a value.
     *
     * @param mode null for overwrite
     */
    public record SetProperty(
            @NotNull String key,
            @NotNull String value,
            @Nullable SetPropertyMode mode) {}

    /**
     * Takes a property away.
     *
     * @param mode what becomes of the request when there is none; null for skip
     */
    public record UnsetProperty(
            @NotNull String key, @Nullable DropMode mode) {}
}
