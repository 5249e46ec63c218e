/* Prints the library's log. The lines come on any thread, with or without Python's lock, so C's stream takes them. */
#include "py_module.h"

#include <stdio.h>
#include <string.h>

#include "py_log.h"

static const char *const names[] = {
    [JR_LOG_DEBUG] = "debug", [JR_LOG_INFO] = "info", [JR_LOG_WARNING] = "warning", [JR_LOG_ERROR] = "error"};
enum { LEVELS = sizeof names / sizeof *names };

/* user: the place in `names` of the lowest level. */
static void print_line(void *user, jr_log_level level, const char *line) {
    const char *const *lowest = user;
    if ((int)level >= (int)(lowest - names) && (int)level < LEVELS)
        fprintf(stderr, "jitreduce: %s: %s\n", names[level], line);
}

static const char *wanted_level(void) {
    for (int i = 0; i < jr_variable_count(); i++) {
        const jr_variable variable = jr_variable_get(i);
        if (strcmp(variable.name, "JITREDUCE_LOG") == 0) return variable.value;
    }
    return NULL;
}

int pj_log_begin(void) {
    const char *wanted = wanted_level();
    if (wanted == NULL || wanted[0] == '\0') return 0;
    for (int level = 0; level < LEVELS; level++) {
        if (strcmp(wanted, names[level]) != 0) continue;
        jr_log_set(print_line, (void *)&names[level]);
        return 0;
    }
    return PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "JITREDUCE_LOG: '%s' is not one of error warning info debug",
                            wanted);
}
