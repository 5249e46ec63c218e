/* Looks for a text in the last error. */
#include "support/told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "jitreduce.h"

void told_assert(const char *text, const char *file, int line) {
    const jr_error *error = jr_last_error();
    if (strstr(error->message, text) != NULL || strstr(error->log, text) != NULL) return;
    print_error("neither has '%s': %s\n%s\n", text, error->message, error->log);
    _fail(file, line);
}
