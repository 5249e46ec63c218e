/* Maps regular files and reads everything else (pipes, terminals, /proc, packed files) into memory. */
#include "bytes.h"

#include <stdlib.h>
#include <sys/mman.h>

/* Reads to the end, doubling the buffer; a full one is checked first, where there is a check. */
static cli_exit read_all(cli_source *source, cli_check check, const void *user, cli_bytes *bytes, cli_error *error) {
    size_t capacity = 0, size = 0, got = 1;
    char *data = NULL;
    cli_exit code = CLI_OK;
    while (code == CLI_OK && got > 0) {
        if (size == capacity) {
            if (size > 0 && check != NULL)
                code = check(user, &(cli_bytes){.name = bytes->name, .data = data, .size = size}, error);
            capacity = capacity ? 2 * capacity : CLI_AHEAD_BYTES;
            char *larger = code == CLI_OK ? realloc(data, capacity) : NULL;
            if (larger == NULL && code == CLI_OK)
                code = cli_fail(error, CLI_FAILURE, "%s: out of memory after %zu bytes", bytes->name, size);
            if (larger != NULL) data = larger;
        }
        if (code == CLI_OK) code = cli_source_read(source, data + size, capacity - size, &got, error);
        if (code == CLI_OK) size += got;
    }
    if (code != CLI_OK) {
        free(data);
        return code;
    }
    bytes->data = data;
    bytes->size = size;
    return CLI_OK;
}

/* Maps a regular file that is read from its start; false when it has to be read instead. */
static bool map_file(const cli_source *source, cli_bytes *bytes) {
    if (!source->whole) return false;
    const size_t size = (size_t)source->file_bytes;
    void *mapping = mmap(NULL, size, PROT_READ, MAP_PRIVATE, source->file, 0);
    if (mapping == MAP_FAILED) return false;
    (void)madvise(mapping, size, MADV_SEQUENTIAL);
    bytes->mapping = mapping;
    bytes->data = mapping;
    bytes->size = size;
    return true;
}

cli_exit cli_bytes_read(cli_source *source, cli_check check, const void *user, cli_bytes *bytes, cli_error *error) {
    cli_bytes found = {.name = source->name};
    source->keeps = true;
    const cli_exit code = map_file(source, &found) ? CLI_OK : read_all(source, check, user, &found, error);
    if (code == CLI_OK) *bytes = found;
    return code;
}

void cli_bytes_free(cli_bytes *bytes) {
    if (bytes->mapping != NULL)
        munmap(bytes->mapping, bytes->size);
    else if (!bytes->borrowed)
        free((void *)(uintptr_t)bytes->data);
    *bytes = (cli_bytes){0};
}
