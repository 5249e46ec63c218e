/* Reads NVRTC's messages about structs. */
#include "structure_log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Records a message with the log, which the record that is written over holds. Returns true. */
__attribute__((format(printf, 4, 5))) static bool explain(jr_status *status, jr_status as, const char *log,
                                                          const char *format, ...) {
    char message[512];
    char *own = jr_string_copy(log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    jr_fail_with(as, NULL, own, "%s", message);
    free(own);
    *status = as;
    return true;
}

/* A struct that is not as its spec says. */
static bool explain_size(const jr_structure *structure, const char *member, size_t said, const char *log,
                         jr_status *status) {
    char mark[64];
    const bool bytes = strcmp(member, "bytes") == 0;
    snprintf(mark, sizeof mark, "jr_%s_of_struct<", member);
    const char *at = strstr(log, mark);
    at = at != NULL ? strstr(at, "Is=") : NULL;
    if (at == NULL) return false;
    return explain(
        status, JR_ERROR_INVALID_ARGUMENT, log,
        "struct %s has %s%llu%s in its source and %zu in spec.structure->%s: give the host's struct the same "
        "members, and take sizeof and _Alignof of it",
        structure->name, bytes ? "" : "an alignment of ", strtoull(at + 3, NULL, 10), bytes ? " bytes" : "", said,
        member);
}

/* The text after `mark` on a line of the log that is about the struct's source, or NULL. */
static const char *find_in_source(const char *log, const char *mark) {
    static const char from[] = "structure(";
    for (const char *at = log; (at = strstr(at, mark)) != NULL; at++) {
        const char *line = at;
        while (line > log && line[-1] != '\n') line--;
        if (strncmp(line, from, sizeof from - 1) == 0) return at + strlen(mark);
    }
    return NULL;
}

/* A struct's source has neither headers nor the types that these define. */
static bool explain_source(const jr_structure *structure, const char *log, jr_status *status) {
    const char *header = find_in_source(log, "open source file \""), *name = find_in_source(log, "identifier \"");
    if (header != NULL)
        return explain(status, JR_ERROR_COMPILE, log,
                       "the source of struct %s includes %.*s, and a struct's source has no headers: spell its types "
                       "without them, as int for int32_t and unsigned char for uint8_t",
                       structure->name, (int)strcspn(header, "\"\n"), header);
    if (name == NULL || strncmp(name + strcspn(name, "\"\n"), "\" is undefined", 14) != 0) return false;
    return explain(
        status, JR_ERROR_COMPILE, log,
        "the source of struct %s uses %.*s, which nothing defines: a struct's source has no headers; spell its "
        "types without them, as int for int32_t and unsigned char for uint8_t",
        structure->name, (int)strcspn(name, "\"\n"), name);
}

/* A type that the spec leaves open is not the one that an expression gives. */
static bool explain_open_type(const jr_spec *spec, const char *log, jr_status *status) {
    const char *name = spec->structure->name;
    char to_struct[160];
    snprintf(to_struct, sizeof to_struct, "\" to \"%s\"", name);
    const char *converts = strstr(log, "no suitable constructor exists to convert from"),
               *to = converts != NULL ? strstr(converts, to_struct) : NULL,
               *class = strstr(log, "must have class type");
    if (spec->finish != NULL && spec->result == JR_TYPE_NONE && to != NULL && to < converts + strcspn(converts, "\n"))
        return explain(status, JR_ERROR_INVALID_EXPRESSION, log,
                       "finish gives a number, and the result is a struct %s unless spec.result is set: set it to the "
                       "number's type",
                       name);
    if (spec->map != NULL && spec->map_type == JR_TYPE_NONE && spec->type != JR_STRUCT && class != NULL)
        return explain(status, JR_ERROR_INVALID_EXPRESSION, log,
                       "map gives numbers unless spec.map_type is set: set it to JR_STRUCT for structs %s", name);
    return false;
}

bool jr_structure_explain(const jr_spec *spec, jr_status *status) {
    const jr_structure *structure = spec->structure;
    const char *log = jr_last_error()->log;
    if (structure == NULL || log == NULL) return false;
    return explain_source(structure, log, status) || explain_size(structure, "bytes", structure->bytes, log, status) ||
           explain_size(structure, "alignment", structure->alignment, log, status) ||
           explain_open_type(spec, log, status);
}
