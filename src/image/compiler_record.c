/* Compiler records: text files 'nvrtc-<hash of path>.record', ended by a seal.
 *
 * The first lines are the file's identity. They are never parsed: the reader writes down what they must be now, and
 * compares. */
#include "compiler_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/log.h"
#include "base/text.h"
#include "loader/elf_file.h"

enum { RECORD_BYTES_MAX = 64 * 1024, NAME_BYTES = 32, HASH_DIGITS = 16 };

static void file_name(const char *path, char name[NAME_BYTES]) {
    char hex[JR_DIGEST_HEX_BYTES];
    SHA256Data((const uint8_t *)path, strlen(path), hex);
    snprintf(name, NAME_BYTES, "nvrtc-%.*s.record", HASH_DIGITS, hex);
}

/* Appends the lines that say which file this is; false when there is no such file. */
static bool identity_append(jr_text *text, const char *path) {
    jr_file_identity file;
    char build_id[65] = "none";
    if (!jr_file_identify(path, &file)) return false;
    jr_elf_build_id(path, build_id, sizeof build_id);
    jr_text_append(text,
                   "jitreduce compiler record 2\npath %s\nfile %llu bytes, modified %lld, inode %llu, device %llu\n",
                   path, (unsigned long long)file.bytes, (long long)file.modified_ns, (unsigned long long)file.inode,
                   (unsigned long long)file.device);
    jr_text_append(text, "id %s\n", build_id);
    return true;
}

/* ---- writing ---- */

static bool record_write(const char *folder, const jr_nvrtc_about *record, jr_text *text) {
    char name[NAME_BYTES];
    if (!identity_append(text, record->path)) return false;
    jr_text_append(text, "version %d.%d\nbuild %s\nplace %" PRIxPTR "\narchitectures", record->major, record->minor,
                   record->build, record->place);
    for (int i = 0; i < record->architecture_count; i++) jr_text_append(text, " %d", record->architectures[i]);
    jr_text_append(text, "\n");
    jr_seal_append(text);
    file_name(record->path, name);
    return !jr_text_failed(text) && !jr_folder_check(folder) &&
           !jr_file_write(folder, name, jr_text_string(text), text->length);
}

bool jr_compiler_record_write(const char *folder, const jr_nvrtc_about *record) {
    if (!*folder) return false;
    JR_KEEP_ERROR;
    jr_text text = {0};
    bool written = record_write(folder, record, &text);
    if (!written) jr_log(JR_LOG_WARNING, "disk cache: cannot store the record of NVRTC %s", record->path);
    jr_text_free(&text);
    return written;
}

/* ---- reading ---- */

/* Steps over a literal; false when the text does not go on with it. */
static bool literal_read(const char **text, const char *literal) {
    size_t length = strlen(literal);
    if (strncmp(*text, literal, length) != 0) return false;
    *text += length;
    return true;
}

static bool number_read(const char **text, int *number) {
    char *end = NULL;
    long value = strtol(*text, &end, 10);
    if (end == *text || **text < '0' || **text > '9' || value > 100000) return false;
    *text = end;
    *number = (int)value;
    return true;
}

/* Reads a build's name up to the line's end; it is 1 to 63 bytes long. */
static bool build_read(const char **text, char build[64]) {
    size_t length = strcspn(*text, "\n");
    if (length == 0 || length > 63) return false;
    memcpy(build, *text, length);
    build[length] = '\0';
    *text += length;
    return true;
}

/* Reads what jr_map_place_choose gave. */
static bool place_read(const char **text, uintptr_t *place) {
    const size_t digits = strspn(*text, "0123456789abcdef");
    *place = (uintptr_t)strtoull(*text, NULL, 16);
    *text += digits;
    return digits > 0 && digits <= 12 && *place % (2 << 20) == 0;
}

/* Reads " 75 80 90": ascending, at least one, no more than fit. */
static bool architectures_read(const char **text, jr_nvrtc_about *record) {
    int count = 0, last = 0;
    while (literal_read(text, " ")) {
        int number = 0;
        if (count == JR_NVRTC_ARCHITECTURES_MAX || !number_read(text, &number) || number <= last) return false;
        record->architectures[count++] = last = number;
    }
    record->architecture_count = count;
    return count > 0;
}

/* Parses a record whose seal was cut off; identity: what its first lines must be. */
static bool record_parse(const char *text, const jr_text *identity, jr_nvrtc_about *record) {
    return !jr_text_failed(identity) && literal_read(&text, jr_text_string(identity)) &&
           literal_read(&text, "version ") && number_read(&text, &record->major) && literal_read(&text, ".") &&
           number_read(&text, &record->minor) && literal_read(&text, "\nbuild ") && build_read(&text, record->build) &&
           literal_read(&text, "\nplace ") && place_read(&text, &record->place) &&
           literal_read(&text, "\narchitectures") && architectures_read(&text, record) && !strcmp(text, "\n");
}

static bool record_read(const char *folder, const char *path, jr_nvrtc_about *record) {
    char name[NAME_BYTES], file[JR_PATH_BYTES];
    file_name(path, name);
    if (!jr_path_join(file, folder, name) || !jr_file_exists(file) || jr_folder_check(folder)) return false;
    void *bytes = NULL;
    size_t count = 0;
    bool missing = false;
    if (jr_file_read_ours(file, RECORD_BYTES_MAX, &bytes, &count, &missing) || missing) return false;
    jr_text identity = {0};
    jr_nvrtc_about parsed = {0};
    bool good = strlen(path) < sizeof parsed.path && identity_append(&identity, path) && jr_seal_cut(bytes, count) &&
                record_parse(bytes, &identity, &parsed);
    if (good) memcpy(parsed.path, path, strlen(path) + 1);
    if (good) *record = parsed;
    jr_text_free(&identity);
    free(bytes);
    return good;
}

bool jr_compiler_record_read(const char *folder, const char *path, jr_nvrtc_about *record) {
    if (!*folder) return false;
    JR_KEEP_ERROR;
    bool good = record_read(folder, path, record);
    return good;
}
