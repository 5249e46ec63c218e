/* The record of an NVRTC file in the cache folder. The input replaces the lines after those of the file's identity;
 * these are right, and so is the digest. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/files.h"
#include "fuzz.h"
#include "image/compiler_record.h"

static char folder[64];
static char name[JR_PATH_BYTES];

static void remove_folder(void) {
    char path[JR_PATH_BYTES];
    if (jr_path_join(path, folder, name)) unlink(path);
    rmdir(folder);
}

/* Writes a record as the library does, once, and finds its name and the lines that say which file it is of. */
static char *write_sample(const char *nvrtc) {
    jr_nvrtc_about sample = {.major = 13, .build = "1", .architectures = {75}, .architecture_count = 1};
    jr_folder_entry *entries;
    size_t count, length;
    void *bytes;
    char path[JR_PATH_BYTES];
    snprintf(folder, sizeof folder, "/tmp/jitreduce-fuzz-record-%ld", (long)getpid());
    snprintf(sample.path, sizeof sample.path, "%s", nvrtc);
    fuzz_demand(mkdir(folder, 0700) == 0);
    fuzz_demand(jr_compiler_record_write(folder, &sample));
    fuzz_demand(jr_folder_list(folder, &entries, &count) == JR_OK && count == 1);
    snprintf(name, sizeof name, "%s", entries[0].name);
    free(entries);
    atexit(remove_folder);
    fuzz_demand(jr_path_join(path, folder, name));
    fuzz_demand(jr_file_read(path, 65536, &bytes, &length, NULL) == JR_OK);
    char *end = strstr(bytes, "version 13.0");
    fuzz_demand(end != NULL);
    *end = '\0';
    return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char *identity;
    jr_nvrtc_about record;
    jr_text text = {0};
    if (identity == NULL) identity = write_sample("/bin/sh");
    char *lines = fuzz_text(data, size);
    jr_text_append(&text, "%s%s\n", identity, lines);
    jr_seal_append(&text);
    fuzz_demand(jr_file_write(folder, name, jr_text_string(&text), text.length) == JR_OK);
    if (jr_compiler_record_read(folder, "/bin/sh", &record)) {
        fuzz_demand(record.architecture_count >= 0 && record.architecture_count <= JR_NVRTC_ARCHITECTURES_MAX);
        fuzz_demand(memchr(record.build, '\0', sizeof record.build) != NULL);
    }
    jr_text_free(&text);
    free(lines);
    return 0;
}
