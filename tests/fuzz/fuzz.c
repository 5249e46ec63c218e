/* What fuzz targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_stop(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    fuzz_demand(text != NULL);
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static char path[64];

static void remove_file(void) {
    unlink(path);
}

const char *fuzz_file(const uint8_t *data, size_t size) {
    if (path[0] == '\0') {
        snprintf(path, sizeof path, "/tmp/jitreduce-fuzz-%ld", (long)getpid());
        atexit(remove_file);
    }
    FILE *file = fopen(path, "wb");
    fuzz_demand(file != NULL);
    fuzz_demand(fwrite(data, 1, size, file) == size);
    fuzz_demand(fclose(file) == 0);
    return path;
}
