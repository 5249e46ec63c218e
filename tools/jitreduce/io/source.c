/* Opens files, looks at their first bytes, and reads them, unpacked where they are packed. */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { LOOK_BYTES = 16 };

static cli_exit fail_errno(const cli_source *source, const char *what, cli_error *error) {
    enum { SHOWN = 1024 }; /* of a name: the reason must fit, too */
    const char *name = source->name[0] != '\0' ? source->name : "''";
    return cli_fail(error, CLI_FAILURE, "%.*s%s: %s: %s", SHOWN, name, strlen(name) > SHOWN ? "..." : "", what,
                    strerror(errno));
}

/* Bytes as they lie in the file: what cli_unpack asks for, too. */
static cli_exit read_file(void *user, char *to, size_t bytes, size_t *got, cli_error *error) {
    cli_source *source = user;
    ssize_t count;
    do count = read(source->file, to, bytes);
    while (count < 0 && errno == EINTR);
    if (count < 0) return fail_errno(source, "cannot be read", error);
    source->read_bytes += (uint64_t)count;
    *got = (size_t)count;
    return CLI_OK;
}

/* Packed bytes of a member. */
static cli_exit read_member(void *user, char *to, size_t bytes, size_t *got, cli_error *error) {
    cli_source *source = user;
    const uint64_t left = source->member.packed_bytes - source->read_bytes;
    (void)error;
    *got = left < bytes ? (size_t)left : bytes;
    memcpy(to, source->member.packed + source->read_bytes, *got);
    source->read_bytes += *got;
    return CLI_OK;
}

/* Holds what a member has given against what its archive says: more is refused at once, the checksum at its end. */
static cli_exit check_member(cli_source *source, const char *bytes, size_t got, cli_error *error) {
    const unsigned long long promised = source->member.bytes;
    for (size_t at = 0, step; at < got; at += step) { /* crc32 takes lengths of 32 bits */
        step = got - at < 1 << 30 ? got - at : 1 << 30;
        source->crc = crc32(source->crc, (const Bytef *)bytes + at, (uInt)step);
    }
    if (source->unpacked_bytes > promised || (got == 0 && source->unpacked_bytes < promised))
        return cli_fail(error, CLI_FAILURE,
                        "%s: the archive is damaged: it says that the member has %llu bytes, but it has %s",
                        source->name, promised, got > 0 ? "more" : "fewer");
    if (got == 0 && source->crc != source->member.crc)
        return cli_fail(error, CLI_FAILURE, "%s: the archive is damaged: a member's checksum is another", source->name);
    return CLI_OK;
}

static cli_exit check_kept(const cli_source *source, cli_error *error) {
    const uint64_t by_size = CLI_UNPACKED_TIMES * source->read_bytes,
                   most = by_size > CLI_UNPACKED_MAX ? by_size : CLI_UNPACKED_MAX;
    if (!source->keeps || source->unpacked_bytes <= most) return CLI_OK;
    return cli_fail(error, CLI_FAILURE,
                    "%s: unpacks to more than %d MiB and more than %d times its %llu packed bytes, and all of it would "
                    "be kept in memory: unpack it first, as zcat and zstd -dc do",
                    source->name, CLI_UNPACKED_MAX >> 20, CLI_UNPACKED_TIMES, (unsigned long long)source->read_bytes);
}

static cli_exit read_on(cli_source *source, char *to, size_t bytes, size_t *got, cli_error *error) {
    const bool packed = source->unpack != NULL;
    cli_exit code = packed ? cli_unpack_read(source->unpack, source, to, bytes, got, error)
                           : read_file(source, to, bytes, got, error);
    if (code != CLI_OK) return code;
    source->ended |= *got == 0;
    if (packed) source->unpacked_bytes += *got;
    if (source->member.packed != NULL) code = check_member(source, to, *got, error);
    return code == CLI_OK && packed ? check_kept(source, error) : code;
}

cli_exit cli_source_look(cli_source *source, size_t bytes, cli_error *error) {
    if (bytes > source->ahead_room) {
        char *larger = realloc(source->ahead, bytes);
        if (larger == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory for %zu bytes", source->name, bytes);
        source->ahead = larger;
        source->ahead_room = bytes;
    }
    while (source->ahead_bytes < bytes && !source->ended) {
        size_t got;
        const cli_exit code =
            read_on(source, source->ahead + source->ahead_bytes, source->ahead_room - source->ahead_bytes, &got, error);
        if (code != CLI_OK) return code;
        source->ahead_bytes += got;
    }
    return CLI_OK;
}

/* Goes over to what a packed file holds: the bytes that were looked at are the first of the packed ones. */
static cli_exit look_inside(cli_source *source, cli_error *error) {
    const cli_packing packing = cli_packing_of(source->ahead, source->ahead_bytes);
    if (packing == CLI_PACKING_NONE) return CLI_OK;
    cli_exit code = cli_unpack_open(packing, &(cli_packed){source->name, source->ahead, source->ahead_bytes, read_file},
                                    &source->unpack, error);
    if (code != CLI_OK) return code;
    source->whole = source->ended = false;
    source->ahead_bytes = 0;
    return cli_source_look(source, LOOK_BYTES, error);
}

static void find_size(cli_source *source) {
    struct stat status;
    if (fstat(source->file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
    source->file_bytes = (uint64_t)status.st_size;
    source->whole = lseek(source->file, 0, SEEK_CUR) == 0;
    source->reopens = source->whole && !source->standard;
}

cli_exit cli_source_open(const char *path, cli_source *source, cli_error *error) {
    const bool standard = strcmp(path, "-") == 0;
    cli_source opened = {.name = standard ? "standard input" : path, .standard = standard};
    opened.file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (opened.file < 0) return fail_errno(&opened, "cannot be opened", error);
    find_size(&opened);
    opened.ahead = malloc(CLI_AHEAD_BYTES);
    opened.ahead_room = CLI_AHEAD_BYTES;
    cli_exit code =
        opened.ahead != NULL ? CLI_OK : cli_fail(error, CLI_FAILURE, "%s: out of memory after 0 bytes", opened.name);
    if (code == CLI_OK) code = cli_source_look(&opened, LOOK_BYTES, error);
    if (code == CLI_OK) code = look_inside(&opened, error);
    if (code == CLI_OK)
        *source = opened;
    else
        cli_source_close(&opened);
    return code;
}

cli_exit cli_source_open_member(const cli_packed_member *member, cli_source *source, cli_error *error) {
    cli_source opened = {.name = member->name, .file = -1, .member = *member};
    opened.file_bytes = member->packed_bytes;
    cli_exit code = cli_unpack_open(CLI_PACKING_DEFLATE, &(cli_packed){.name = member->name, .read = read_member},
                                    &opened.unpack, error);
    if (code == CLI_OK) code = cli_source_look(&opened, LOOK_BYTES, error);
    if (code == CLI_OK)
        *source = opened;
    else
        cli_source_close(&opened);
    return code;
}

cli_exit cli_source_read(cli_source *source, char *to, size_t bytes, size_t *got, cli_error *error) {
    const size_t left = source->ahead_bytes - source->ahead_used;
    *got = left < bytes ? left : bytes;
    if (*got > 0) {
        memcpy(to, source->ahead + source->ahead_used, *got);
        source->ahead_used += *got;
        return CLI_OK;
    }
    return source->ended ? CLI_OK : read_on(source, to, bytes, got, error);
}

void cli_source_close(cli_source *source) {
    cli_unpack_close(source->unpack);
    if (source->name != NULL && !source->standard && source->member.packed == NULL) close(source->file);
    free(source->ahead);
    *source = (cli_source){.name = NULL};
}
