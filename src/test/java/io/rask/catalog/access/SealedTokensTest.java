package io.rask.catalog.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rask.catalog.problem.CatalogException;
import io.rask.catalog.record.FileRecordStore;
import io.rask.catalog.record.Records;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Page tokens that tell nothing. */
class SealedTokensTest {
    @TempDir
    Path folder;

    private SealedTokens server() {
        return new SealedTokens(new Records(new FileRecordStore(folder), Clock.systemUTC()));
    }

    @Test
    void everyServerOpensWhatOneSealed() {
        for (String name : new String[] {"", "orders", "größe/ß%24", "x".repeat(300)}) {
            String token = server().sealed("a list", name);
            assertThat(SealedTokens.isSealed(token)).isTrue();
            assertThat(server().opened("a list", token)).isEqualTo(name);
        }
    }

    @Test
    void namesOfDifferentLengthsLookAlikeAndOneNameNeverTheSame() {
        SealedTokens server = server();
        assertThat(server.sealed("a list", "a")).hasSameSizeAs(server.sealed("a list", "a".repeat(60)));
        assertThat(server.sealed("a list", "a")).isNotEqualTo(server.sealed("a list", "a"));
    }

    @Test
    void whatWasNotSealedHereForThisUseIsRefused() {
        String token = server().sealed("a list", "orders");
        SealedTokens other =
                new SealedTokens(new Records(new FileRecordStore(folder.resolve("elsewhere")), Clock.systemUTC()));
        refuses(other, "a list", token);
        refuses(server(), "another list", token);
        for (String made :
                new String[] {"$", "$AAAA", "$not base64!", token.substring(0, token.length() - 1), token + "A"}) {
            refuses(server(), "a list", made);
        }
        int middle = token.length() / 2;
        char changed = token.charAt(middle) == 'A' ? 'B' : 'A';
        refuses(server(), "a list", token.substring(0, middle) + changed + token.substring(middle + 1));
    }

    private static void refuses(SealedTokens server, String use, String token) {
        assertThatThrownBy(() -> server.opened(use, token))
                .isInstanceOfSatisfying(
                        CatalogException.class,
                        refusal -> assertThat(refusal.code().number()).isEqualTo(13));
    }
}
