/* Linked with the command's own main: makes the n-th call of a kind fail in it, as JR_FAIL_NTH says ("memory:12"), and
 * leaves the file JR_FAIL_USED when the command made so many calls. Kinds: memory, files, library, threads,
 * locks, paths. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/fakes/fail_nth.h"

static const char *report;

/* By another name than those that fail. */
static void tell(void) {
    if (fail_nth_end() && report != NULL && symlink("used", report) != 0) _exit(99);
}

__attribute__((constructor)) static void begin(void) {
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"memory:", FAIL_MEMORY},   {"files:", FAIL_FILES}, {"library:", FAIL_LIBRARY},
                 {"threads:", FAIL_THREADS}, {"locks:", FAIL_LOCKS}, {"paths:", FAIL_PATHS}};
    const char *rule = getenv("JR_FAIL_NTH");
    report = getenv("JR_FAIL_USED");
    for (size_t i = 0; rule != NULL && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strncmp(rule, kinds[i].name, strlen(kinds[i].name)) == 0) {
            atexit(tell);
            fail_nth_begin(kinds[i].kind, (int)strtol(rule + strlen(kinds[i].name), NULL, 10));
        }
}
