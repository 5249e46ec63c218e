/* Keeps files of precompiled headers. */
#include "pch_files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/eviction.h"
#include "base/log.h"
#include "base/settings.h"

#define DEFAULT_CAP_BYTES ((uint64_t)512 << 20)

enum {
    SUM_HEX = 16,
    KEY_HEX = JR_DIGEST_HEX_BYTES - 1,
    SUFFIX_LENGTH = 4,
    NAME_LENGTH = KEY_HEX + 1 + SUM_HEX + SUFFIX_LENGTH
};

uint64_t jr_pch_files_cap(void) {
    const char *text = jr_setting_get(JR_SETTING_PCH_BYTES);
    if (text == NULL || *text == '\0') return DEFAULT_CAP_BYTES;
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text >= '0' && *text <= '9' && *end == '\0' && errno == 0) return number;
    jr_log(JR_LOG_WARNING, "%s is '%s', which is not a number of bytes: using %" PRIu64,
           jr_setting_variable(JR_SETTING_PCH_BYTES), text, DEFAULT_CAP_BYTES);
    return DEFAULT_CAP_BYTES;
}

/* ---- sums ---- */

/* A sum against accidents: half-written files and bad disks. Nobody else can write in the folder. */
typedef struct file_sum {
    uint64_t lanes[4];
} file_sum;

static uint64_t mix(uint64_t sum, uint64_t word) {
    return ((sum << 23 | sum >> 41) ^ word) * UINT64_C(0x9e3779b97f4a7c15);
}

/* count: a multiple of 32. */
static void sum_add(file_sum *sum, const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i += sizeof sum->lanes) {
        uint64_t words[4];
        memcpy(words, bytes + i, sizeof words);
        for (size_t lane = 0; lane < 4; lane++) sum->lanes[lane] = mix(sum->lanes[lane], words[lane]);
    }
}

static uint64_t sum_end(const file_sum *sum, uint64_t bytes) {
    uint64_t total = bytes;
    for (size_t lane = 0; lane < 4; lane++) total = mix(total, sum->lanes[lane]);
    return total ^ total >> 32;
}

/* Sums up an open file; false: it cannot be read. */
static bool sum_file(int file, const char *path, uint64_t bytes, uint64_t *total) {
    enum { PIECE_BYTES = 1 << 20 };
    file_sum sum = {{1, 2, 3, 4}};
    uint8_t *piece = malloc(PIECE_BYTES);
    bool good = piece != NULL;
    for (uint64_t offset = 0; good && offset < bytes; offset += PIECE_BYTES) {
        const size_t count = bytes - offset < PIECE_BYTES ? (size_t)(bytes - offset) : PIECE_BYTES;
        if (count < PIECE_BYTES) memset(piece, 0, PIECE_BYTES);
        good = jr_file_read_at(file, path, offset, piece, count) == JR_OK;
        if (good) sum_add(&sum, piece, (count + 31) / 32 * 32);
    }
    free(piece);
    *total = sum_end(&sum, bytes);
    return good;
}

static bool sum_path(const char *path, uint64_t *total) {
    int file = -1;
    uint64_t bytes = 0;
    if (jr_file_open_trusted(path, &file, &bytes) != JR_OK) return false;
    const bool good = sum_file(file, path, bytes, total);
    close(file);
    return good;
}

/* ---- seals ---- */

/* The time of change of a file that is sealed, some year after 2001; false: it is not known when this machine started.
 */
static bool seal_of(const char *path, const struct stat *status, struct timespec *seal) {
    static const char boot_path[] = "/proc/sys/kernel/random/boot_id";
    char boot[64] = "";
    uint8_t made[JR_DIGEST_BYTES];
    uint64_t number;
    jr_digest digest;
    const int file = open(boot_path, O_RDONLY | O_CLOEXEC);
    const bool known = file >= 0 && read(file, boot, sizeof boot - 1) > 0;
    if (file >= 0) close(file);
    if (!known) return false;
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "boot", boot);
    jr_digest_string(&digest, "name", strrchr(path, '/') + 1);
    jr_digest_number(&digest, "inode", (uint64_t)status->st_ino);
    jr_digest_number(&digest, "bytes", (uint64_t)status->st_size);
    jr_digest_end(&digest, made);
    memcpy(&number, made, sizeof number);
    *seal = (struct timespec){(time_t)(1000000000 + (number >> 32) % 400000000), (long)(number % 1000000) * 1000};
    return true;
}

static bool is_sealed(const char *path) {
    struct stat status;
    struct timespec seal;
    return stat(path, &status) == 0 && seal_of(path, &status, &seal) && status.st_mtim.tv_sec == seal.tv_sec &&
           status.st_mtim.tv_nsec == seal.tv_nsec;
}

void jr_pch_file_seal(const char *path) {
    struct stat status;
    struct timespec times[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    if (stat(path, &status) == 0 && seal_of(path, &status, &times[1]))
        (void)utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

bool jr_pch_file_is_whole(const char *path) {
    JR_KEEP_ERROR;
    const size_t length = strlen(path);
    uint64_t total = 0;
    char hex[SUM_HEX + 1];
    if (is_sealed(path)) return true;
    jr_log(JR_LOG_DEBUG, "precompiled headers: reading all of %s", path);
    if (length < NAME_LENGTH || !sum_path(path, &total)) return false;
    snprintf(hex, sizeof hex, "%016" PRIx64, total);
    return memcmp(hex, path + length - SUFFIX_LENGTH - SUM_HEX, SUM_HEX) == 0;
}

/* ---- files ---- */

static bool is_ours(const char *name) {
    const char *suffix = name + NAME_LENGTH - SUFFIX_LENGTH;
    return strlen(name) == NAME_LENGTH && strspn(name, "0123456789abcdef") == KEY_HEX && name[KEY_HEX] == '-' &&
           (strcmp(suffix, JR_PCH_SUFFIX) == 0 || strcmp(suffix, JR_PCH_TEXTS_SUFFIX) == 0);
}

bool jr_pch_files_find(const char *folder, const uint8_t key[JR_DIGEST_BYTES], const char *suffix,
                       char path[JR_PATH_BYTES]) {
    JR_KEEP_ERROR;
    jr_folder_entry *entries = NULL;
    char hex[JR_DIGEST_HEX_BYTES];
    size_t count = 0;
    bool found = false;
    jr_digest_hex(key, hex);
    if (jr_folder_check(folder) != JR_OK || jr_folder_list(folder, &entries, &count) != JR_OK) return false;
    for (size_t i = 0; i < count && !found; i++) {
        const char *name = entries[i].name;
        found = is_ours(name) && memcmp(name, hex, KEY_HEX) == 0 &&
                strcmp(name + NAME_LENGTH - SUFFIX_LENGTH, suffix) == 0 && jr_path_join(path, folder, name);
    }
    free(entries);
    return found;
}

bool jr_pch_files_temporary(const char *folder, char path[JR_PATH_BYTES]) {
    static _Atomic unsigned number;
    char name[64];
    JR_KEEP_ERROR;
    snprintf(name, sizeof name, JR_TEMPORARY_PREFIX "%ld-%u" JR_PCH_SUFFIX, (long)getpid(),
             atomic_fetch_add(&number, 1));
    return jr_folder_make_private(folder) == JR_OK && jr_path_join(path, folder, name);
}

/* The name that a file is to have; false: it cannot be read, or is larger than all of them may be. */
static bool name_of(const uint8_t key[JR_DIGEST_BYTES], const char *suffix, const char *temporary,
                    char name[NAME_LENGTH + 1]) {
    uint64_t total = 0;
    jr_file_identity identity;
    char hex[JR_DIGEST_HEX_BYTES];
    if (!jr_file_identify(temporary, &identity) || identity.bytes > jr_pch_files_cap() ||
        chmod(temporary, S_IRUSR | S_IWUSR) != 0 || !sum_path(temporary, &total))
        return false;
    jr_digest_hex(key, hex);
    snprintf(name, NAME_LENGTH + 1, "%s-%016" PRIx64 "%s", hex, total, suffix);
    return true;
}

bool jr_pch_files_keep(const char *folder, const uint8_t key[JR_DIGEST_BYTES], const char *suffix,
                       char path[JR_PATH_BYTES]) {
    JR_KEEP_ERROR;
    char name[NAME_LENGTH + 1], final[JR_PATH_BYTES];
    const bool good = name_of(key, suffix, path, name) && jr_path_join(final, folder, name) && rename(path, final) == 0;
    if (good)
        memcpy(path, final, sizeof final);
    else
        (void)jr_file_remove(path);
    const jr_eviction how = {folder, jr_pch_files_cap(), is_ours, good ? name : ""};
    uint64_t total;
    (void)jr_evict(&how, &total);
    return good;
}
