/* Maps regular files and reads everything else (pipes, terminals, /proc) into memory. */
#include "bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static cli_exit fail_errno(cli_error *error, const char *name, const char *what) {
    return cli_fail(error, CLI_FAILURE, "%s: %s: %s", name, what, strerror(errno));
}

/* Reads to the end, doubling the buffer; a full one is checked first. */
static cli_exit read_all(int file, cli_check check, const void *user, cli_bytes *bytes, cli_error *error) {
    size_t capacity = 0, size = 0;
    char *data = NULL;
    cli_exit code = CLI_OK;
    for (;;) {
        if (size == capacity) {
            if (size) code = check(user, &(cli_bytes){.name = bytes->name, .data = data, .size = size}, error);
            if (code != CLI_OK) goto refused;
            capacity = capacity ? 2 * capacity : CLI_BLOCK_BYTES;
            char *larger = realloc(data, capacity);
            if (larger == NULL) goto no_memory;
            data = larger;
        }
        ssize_t got = read(file, data + size, capacity - size);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) goto no_read;
        if (got == 0) break;
        size += (size_t)got;
    }
    bytes->data = data;
    bytes->size = size;
    return CLI_OK;
no_memory:
    free(data);
    return cli_fail(error, CLI_FAILURE, "%s: out of memory after %zu bytes", bytes->name, size);
no_read:
    free(data);
    return fail_errno(error, bytes->name, "cannot be read");
refused:
    free(data);
    return code;
}

/* Maps a regular file that is read from its start; false when it has to be read instead. */
static bool map_file(int file, cli_bytes *bytes) {
    struct stat status;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return false;
    if (lseek(file, 0, SEEK_CUR) != 0) return false;
    size_t size = (size_t)status.st_size;
    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapping == MAP_FAILED) return false;
    (void)madvise(mapping, size, MADV_SEQUENTIAL);
    bytes->mapping = mapping;
    bytes->data = mapping;
    bytes->size = size;
    return true;
}

cli_exit cli_bytes_read(const char *path, cli_check check, const void *user, cli_bytes *bytes, cli_error *error) {
    bool standard = strcmp(path, "-") == 0;
    cli_bytes found = {.name = standard ? "standard input" : path};
    int file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return fail_errno(error, path, "cannot be opened");
    cli_exit code = map_file(file, &found) ? CLI_OK : read_all(file, check, user, &found, error);
    if (!standard) close(file);
    if (code == CLI_OK) *bytes = found;
    return code;
}

void cli_bytes_free(cli_bytes *bytes) {
    if (bytes->mapping != NULL)
        munmap(bytes->mapping, bytes->size);
    else
        free((void *)(uintptr_t)bytes->data);
    *bytes = (cli_bytes){0};
}
