/* What the library finds on this machine: every candidate for every component, and the variables that it reads; and
 * its log. */
#include "py_module.h"

#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "py_call.h"

static void add(PyObject *list, PyObject *item) {
    if (!item || PyList_Append(list, item)) PyErr_WriteUnraisable(list);
    Py_XDECREF(item);
}

static void add_finding(void *list, const jr_finding *finding) {
    add(list, Py_BuildValue("(sssOs)", finding->component, finding->origin, finding->path,
                            finding->chosen ? Py_True : Py_False, finding->detail));
}

PyObject *pj_doctor(PyObject *module, PyObject *const *args, Py_ssize_t count) {
    jr_options options = JR_INIT(jr_options);
    if (count != 1) return pj_call_arguments("doctor", 1, count);
    if (args[0] != Py_None && !(options.nvrtc = PyUnicode_AsUTF8AndSize(args[0], NULL))) return NULL;
    PyObject *list = PyList_New(0);
    if (list && jr_doctor(&options, add_finding, list)) {
        Py_DECREF(list);
        return pj_raise(PyModule_GetState(module));
    }
    return list;
}

PyObject *pj_variables(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < jr_variable_count(); i++) {
        jr_variable variable = jr_variable_get(i);
        add(list, Py_BuildValue("(ssz)", variable.name, variable.text, variable.value));
    }
    return list;
}

/* ---- the log: its lines come on any thread, with or without Python's lock, so C's stream takes them ---- */

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
