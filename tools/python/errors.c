/* Failed calls of the library as exceptions: a class for each status, named after it. Shows any object in a message:
 * one whose own way to show itself raises, or that shows pages, spoils none. */
#include "errors.h"

#include <ctype.h>
#include <string.h>

#include "words.h"

/* ---- objects in messages ---- */

enum { SHOWN_MAX = 120 };

static PyObject *class_of(PyObject *object) {
    PyErr_Clear();
    PyObject *name = PyType_GetName(Py_TYPE(object));
    PyObject *text = name ? PyUnicode_FromFormat("<an object of %U>", name) : NULL;
    Py_XDECREF(name);
    return text;
}

/* No more than fits a message; the last ones are dots. */
static PyObject *cut(PyObject *text) {
    if (PyUnicode_GetLength(text) <= SHOWN_MAX) return text;
    PyObject *head = PyUnicode_Substring(text, 0, SHOWN_MAX), *made = head ? PyUnicode_FromFormat("%U...", head) : NULL;
    Py_XDECREF(head);
    Py_DECREF(text);
    return made;
}

PyObject *pj_shown(PyObject *object) {
    PyErr_Clear();
    PyObject *text = PyObject_Repr(object);
    return text ? cut(text) : class_of(object);
}

PyObject *pj_show(PyObject *module, PyObject *object) {
    (void)module;
    return pj_shown(object);
}

PyObject *pj_raise_shown(PyObject *error, PyObject *object, const char *words, const char *name) {
    PyObject *text = pj_shown(object);
    if (text) PyErr_Format(error, words, text, name);
    Py_XDECREF(text);
    return NULL;
}

/* ---- exceptions ---- */

typedef struct error_row {
    jr_status status;
    const char *name, *text;
} error_row;

static const error_row rows[] = {
#define ERROR_ROW(name, number, text) {name, #name, text},
    JR_STATUSES(ERROR_ROW)
#undef ERROR_ROW
};

/* What of Python's a status is, too, so that `except ValueError` takes it. */
static PyObject *also(jr_status status) {
    switch (status) {
    case JR_ERROR_INVALID_ARGUMENT:
    case JR_ERROR_INVALID_EXPRESSION:
    case JR_ERROR_EMPTY_INPUT: return PyExc_ValueError;
    case JR_ERROR_UNSUPPORTED_TYPE: return PyExc_TypeError;
    case JR_ERROR_OUT_OF_MEMORY:
    case JR_ERROR_DEVICE_OUT_OF_MEMORY: return PyExc_MemoryError;
    case JR_ERROR_FILE: return PyExc_OSError;
    default: return PyExc_RuntimeError;
    }
}

/* "JR_ERROR_EMPTY_INPUT" -> "EmptyInputError" */
static void class_name(const char *status, char name[64]) {
    size_t length = 0;
    bool first = true;
    for (const char *at = status + strlen("JR_ERROR_"); *at != '\0' && length < 58; at++) {
        if (*at != '_') name[length++] = (char)(first ? *at : tolower((unsigned char)*at));
        first = *at == '_';
    }
    memcpy(name + length, "Error", sizeof "Error");
}

static int add_class(PyObject *module, pj_state *state, PyObject *base, const error_row *row) {
    char name[64], full[96];
    class_name(row->name, name);
    PyOS_snprintf(full, sizeof full, "jitreduce.%s", name);
    PyObject *bases = PyTuple_Pack(2, base, also(row->status));
    PyObject *made = bases ? PyErr_NewExceptionWithDoc(full, row->text, bases, NULL) : NULL;
    PyObject *number = made ? PyLong_FromLong(row->status) : NULL;
    int failed = number ? PyDict_SetItem(state->errors, number, made) || PyModule_AddObjectRef(module, name, made) : -1;
    Py_XDECREF(number);
    Py_XDECREF(made);
    Py_XDECREF(bases);
    return failed ? -1 : 0;
}

int pj_errors_add(PyObject *module, pj_state *state) {
    state->errors = PyDict_New();
    PyObject *base = PyErr_NewExceptionWithDoc(
        "jitreduce.Error",
        "An error of the library. status, stage, driver_name and log have details beyond the message.", NULL, NULL);
    int failed = !state->errors || !base || PyModule_AddObjectRef(module, "Error", base);
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !failed; i++)
        if (rows[i].status != JR_OK) failed = add_class(module, state, base, &rows[i]);
    Py_XDECREF(base);
    return failed ? -1 : 0;
}

static int set_text(PyObject *object, const char *name, const char *text) {
    PyObject *value = PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
    int failed = value ? PyObject_SetAttrString(object, name, value) : -1;
    Py_XDECREF(value);
    return failed;
}

/* The last line of the message of a fault: what to delete and to close. Without it where Python itself ends. */
static PyObject *advice_of(void) {
    PyObject *module = PyImport_ImportModule("jitreduce._recovery");
    PyObject *text = module ? PyObject_CallMethod(module, "advice", NULL) : NULL;
    PyErr_Clear();
    Py_XDECREF(module);
    return text;
}

/* The message without the log. */
static PyObject *first_line_of(const jr_error *error) {
    static const char reopen[] =
        ": close all contexts of this device in the process, then open a new one"; /* the simulator's */
    const char *end = strstr(error->message, reopen);
    if (!end) return pj_words(error->message);
    PyObject *line = PyUnicode_DecodeUTF8(error->message, end - error->message, "replace");
    PyObject *advice = line ? advice_of() : NULL;
    if (!advice) return line;
    PyObject *both = PyUnicode_FromFormat("%U\n%S", line, advice);
    Py_DECREF(advice);
    Py_DECREF(line);
    return both;
}

/* The message, and below it the log: the expression with a caret, what NVRTC said. */
static PyObject *message_of(const jr_error *error) {
    PyObject *message = first_line_of(error);
    if (!message || error->log[0] == '\0') return message;
    size_t length = strlen(error->log);
    while (length > 0 && error->log[length - 1] == '\n') length--;
    PyObject *log = PyUnicode_DecodeUTF8(error->log, (Py_ssize_t)length, "replace");
    PyObject *both = log ? PyUnicode_FromFormat("%U\n%U", message, log) : NULL;
    Py_XDECREF(log);
    Py_DECREF(message);
    return both;
}

PyObject *pj_raise(const pj_state *state) {
    const jr_error *error = jr_last_error();
    PyObject *number = PyLong_FromLong(error->status);
    PyObject *type = number ? PyDict_GetItemWithError(state->errors, number) : NULL;
    PyObject *message = message_of(error);
    PyObject *made = message ? PyObject_CallFunctionObjArgs(type ? type : PyExc_RuntimeError, message, NULL) : NULL;
    if (made && !set_text(made, "status", jr_status_name(error->status)) && !set_text(made, "stage", error->stage) &&
        !set_text(made, "driver_name", error->driver_name) && !set_text(made, "log", error->log))
        PyErr_SetObject((PyObject *)Py_TYPE(made), made);
    Py_XDECREF(made);
    Py_XDECREF(message);
    Py_XDECREF(number);
    return NULL;
}
