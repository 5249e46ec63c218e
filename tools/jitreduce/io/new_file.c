/* Writes files next to their final place. */
#include "new_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cli_exit fail_write(const cli_new_file *created, int failure, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: %s: cannot be written: %s", created->option, created->path,
                    strerror(failure));
}

cli_exit cli_new_file_check(const char *option, const char *path, cli_error *error) {
    struct stat status;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode)) return CLI_OK;
    if (S_ISLNK(status.st_mode))
        return cli_fail(error, CLI_FAILURE,
                        "%s: %s: is a symbolic link, which the new file would replace: name the file it points to; "
                        "standard output is -",
                        option, path);
    const bool printable = S_ISCHR(status.st_mode) && strcmp(option, "--output") == 0;
    return cli_fail(error, CLI_FAILURE, "%s: %s: exists and is not a regular file%s%s", option, path,
                    printable ? ": leave the option out, and write > " : "", printable ? path : "");
}

cli_exit cli_new_file_create(const char *option, const char *path, cli_new_file *created, cli_error *error) {
    const char *slash = strrchr(path, '/');
    const int folder = slash ? (int)(slash + 1 - path) : 0;
    const cli_exit code = cli_new_file_check(option, path, error);
    if (code != CLI_OK) return code;
    const int length =
        snprintf(created->temporary, sizeof created->temporary, "%.*s.jitreduce-tmp-XXXXXX", folder, path);
    if (length >= CLI_TEMPORARY_BYTES)
        return cli_fail(error, CLI_FAILURE, "%s: a path of %zu bytes", option, strlen(path));
    created->option = option;
    created->path = path;
    created->file = mkstemp(created->temporary);
    return created->file >= 0 ? CLI_OK : fail_write(created, errno, error);
}

int cli_new_file_write(const cli_new_file *created, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        const ssize_t done = write(created->file, at, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        at += done;
        size -= (size_t)done;
    }
    return 0;
}

cli_exit cli_new_file_finish(cli_new_file *created, int failure, cli_error *error) {
    const mode_t mask = umask(0); /* mkstemp gave it to its owner alone */
    umask(mask);
    if (failure == 0 && fchmod(created->file, 0666 & ~mask) != 0) failure = errno;
    if (close(created->file) != 0 && failure == 0) failure = errno;
    if (failure == 0 && rename(created->temporary, created->path) != 0) failure = errno;
    if (failure == 0) return CLI_OK;
    unlink(created->temporary);
    return fail_write(created, failure, error);
}

void cli_new_file_drop(cli_new_file *created) {
    close(created->file);
    unlink(created->temporary);
}
