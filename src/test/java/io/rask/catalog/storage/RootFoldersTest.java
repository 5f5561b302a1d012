package io.rask.catalog.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The walk over a root, told by the file system what an ordinary user is told: an administrator may read everything. */
class RootFoldersTest {
    @TempDir
    Path root;

    private final RootFolders.Walk walk = new RootFolders.Walk(10, files -> {});

    private RootFolders.Visit visit() {
        return new RootFolders.Visit(root, walk);
    }

    @Test
    void aFolderThatCannotBeReadIsToldAndTheRestIsWalked() throws IOException {
        Files.createDirectories(root.resolve("open"));
        Files.write(root.resolve("open").resolve("file"), new byte[3]);
        assertThat(visit().visitFileFailed(root.resolve("shut"), new AccessDeniedException("shut")))
                .isEqualTo(FileVisitResult.CONTINUE);
        assertThat(visit().postVisitDirectory(root.resolve("half").resolve("data"), new FileSystemException("I/O")))
                .isEqualTo(FileVisitResult.CONTINUE);
        Files.walkFileTree(root, visit());
        RootFolders.Found found = walk.found();
        assertThat(found.unread()).containsExactly("shut", "half/data");
        assertThat(found.isUnread("half")).isTrue();
        assertThat(found.isUnread("open")).isFalse();
        assertThat(found.folders().keySet()).containsExactly("open");
        assertThat(found.cut()).isFalse();
    }

    @Test
    void whatGoesDuringTheWalkIsNothingToTell() throws IOException {
        visit().visitFileFailed(root.resolve("gone"), new NoSuchFileException("gone"));
        assertThat(walk.found().unread()).isEmpty();
    }

    @Test
    void aRootThatCannotBeReadIsNoEmptyOne() {
        assertThatThrownBy(() -> visit().visitFileFailed(root, new AccessDeniedException("root")))
                .isInstanceOf(AccessDeniedException.class);
    }
}
