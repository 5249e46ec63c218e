/* Gives a fuzz target every file of its corpus, in place of libFuzzer: replay FOLDER. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"

enum { INPUT_BYTES_MAX = 1 << 20 };

/* Returns whether the file could be read. */
static int replay(const char *folder, const char *name) {
    char path[4096];
    uint8_t *data = malloc(INPUT_BYTES_MAX);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    fuzz_demand(data != NULL);
    const size_t size = file != NULL ? fread(data, 1, INPUT_BYTES_MAX, file) : 0;
    if (file != NULL) {
        fclose(file);
        /* Memory of exactly the input's size, so that a sanitizer sees a read of the first byte after it. */
        uint8_t *exact = realloc(data, size > 0 ? size : 1);
        fuzz_demand(exact != NULL);
        data = exact;
        LLVMFuzzerTestOneInput(data, size);
    }
    free(data);
    return file != NULL;
}

int main(int argc, char **argv) {
    int done = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (folder == NULL) {
        fprintf(stderr, "usage: replay FOLDER\n");
        return 2;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_name[0] != '.') done += replay(argv[1], entry->d_name);
    closedir(folder);
    printf("%d inputs\n", done);
    return done > 0 ? 0 : 1;
}
