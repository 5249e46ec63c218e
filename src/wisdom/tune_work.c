/* Names works. */
#include "tune_work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "spec/dtype.h"
#include "spec/operator.h"
#include "spec/reduction.h"
#include "spec/spec_expressions.h"

static const char *const scans[] = {[false] = "inclusive scan ", [true] = "exclusive scan "};

/* How a tunable's begins, and what can stand in a program's name. */
static const char *const of_tunable = "kernel ";
static const char *const name_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

/* All that can stand in one: a kind, eight operators, four types, and each addition once. */
_Static_assert(sizeof "inclusive scan " + JR_OPS_MAX * sizeof "count_nonzero" + JR_INPUTS_MAX * sizeof "struct" +
                       sizeof " accumulate=bf16 result=bool nan=ignore exact text=0123456789abcdef" <
                   JR_WORK_BYTES,
               "a work that does not fit");

__attribute__((format(printf, 2, 3))) static void append(char work[JR_WORK_BYTES], const char *format, ...) {
    const size_t length = strlen(work);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(work + length, JR_WORK_BYTES - length, format, arguments);
    va_end(arguments);
}

static const char *type_name(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? row->name : "struct";
}

static void append_digest(const jr_spec *spec, char work[JR_WORK_BYTES]) {
    enum { DIGITS = 16 };
    jr_digest digest;
    uint8_t bytes[JR_DIGEST_BYTES];
    char hex[JR_DIGEST_HEX_BYTES];
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "map", spec->map);
    jr_digest_number(&digest, "map_type", (uint64_t)spec->map_type);
    jr_digest_string(&digest, "where", spec->where);
    jr_digest_string(&digest, "finish", spec->finish);
    jr_digest_string(&digest, "combine", spec->combine);
    jr_digest_string(&digest, "identity", spec->identity);
    jr_digest_number(&digest, "commutative", (uint64_t)spec->commutative);
    jr_digest_string(&digest, "structure", spec->structure != NULL ? spec->structure->name : NULL);
    jr_digest_string(&digest, "source", spec->structure != NULL ? spec->structure->source : NULL);
    jr_digest_number(&digest, "bytes", spec->structure != NULL ? spec->structure->bytes : 0);
    for (int i = 0; i < spec->parameter_count; i++) {
        jr_digest_string(&digest, "parameter", spec->parameters[i].name);
        jr_digest_number(&digest, "type", (uint64_t)spec->parameters[i].value.type);
    }
    jr_digest_end(&digest, bytes);
    jr_digest_hex(bytes, hex);
    append(work, " text=%.*s", DIGITS, hex);
}

void jr_work_of(const jr_job *job, char work[JR_WORK_BYTES]) {
    const jr_reduction *reduction = job->reduction;
    const jr_spec *spec = &reduction->spec;
    const int count = spec->op_count > 0 ? spec->op_count : 1;
    jr_expression texts[JR_EXPRESSIONS_MAX];
    work[0] = '\0';
    if (job->kind == JR_JOB_SCAN) append(work, "%s", scans[job->exclusive]);
    for (int i = 0; i < count; i++)
        append(work, "%s%s", i > 0 ? "," : "", jr_operator_find(spec->op_count > 0 ? spec->ops[i] : spec->op)->name);
    for (int i = 0; i < reduction->input_count; i++)
        append(work, "%s%s", i > 0 ? "," : " ", type_name(reduction->inputs[i].type));
    if (spec->accumulate != JR_TYPE_NONE) append(work, " accumulate=%s", type_name(spec->accumulate));
    if (spec->result != JR_TYPE_NONE) append(work, " result=%s", type_name(spec->result));
    if (spec->nan == JR_NAN_IGNORE) append(work, " nan=ignore");
    if (spec->accuracy == JR_ACCURACY_EXACT) append(work, " exact");
    if (spec->accuracy == JR_ACCURACY_REPRODUCIBLE) append(work, " reproducible");
    if (jr_spec_expressions_list(spec, texts) > 0 || spec->structure != NULL || spec->parameter_count > 0)
        append_digest(spec, work);
}

/* ---- of tunables ---- */

static void digest_texts(jr_digest *digest, const char *tag, const jr_named_text *texts, size_t count) {
    jr_digest_number(digest, tag, count);
    for (size_t i = 0; i < count; i++) {
        jr_digest_string(digest, tag, texts[i].name);
        jr_digest_string(digest, tag, texts[i].text);
    }
}
static void digest_strings(jr_digest *digest, const char *tag, const char *const *strings, size_t count) {
    jr_digest_number(digest, tag, count);
    for (size_t i = 0; i < count; i++) jr_digest_string(digest, tag, strings[i]);
}

jr_status jr_work_of_tunable(const jr_tunable *tunable, char work[JR_WORK_BYTES]) {
    enum { DIGITS = 16, NAME_CHARS_MAX = 64 };
    const jr_program *program = tunable->program;
    jr_digest digest;
    uint8_t bytes[JR_DIGEST_BYTES];
    char hex[JR_DIGEST_HEX_BYTES];
    const size_t length = strlen(program->name);
    if (length > NAME_CHARS_MAX || strspn(program->name, name_letters) != length || length == 0)
        return jr_fail(
            JR_ERROR_INVALID_ARGUMENT,
            "program '%.80s': settings are stored under its name: letters, digits, '_', '-' and '.', up to %d",
            program->name, NAME_CHARS_MAX);
    jr_digest_begin(&digest);
    jr_digest_string(&digest, "source", program->source);
    jr_digest_string(&digest, "entry", program->entry);
    digest_texts(&digest, "constants", program->constants, program->constant_count);
    digest_texts(&digest, "headers", program->headers, program->header_count);
    digest_strings(&digest, "options", program->options, program->option_count);
    digest_strings(&digest, "folders", program->include_folders, program->include_folder_count);
    jr_digest_number(&digest, "toolkit", (uint64_t)program->toolkit_headers);
    digest_texts(&digest, "parameters", tunable->parameters, tunable->parameter_count);
    digest_strings(&digest, "restrictions", tunable->restrictions, tunable->restriction_count);
    digest_strings(&digest, "sizes", tunable->sizes, tunable->size_count);
    jr_digest_string(&digest, "grid", tunable->grid);
    jr_digest_string(&digest, "block", tunable->block);
    jr_digest_string(&digest, "shared", tunable->shared);
    jr_digest_end(&digest, bytes);
    jr_digest_hex(bytes, hex);
    snprintf(work, JR_WORK_BYTES, "%s%s %.*s", of_tunable, program->name, DIGITS, hex);
    return JR_OK;
}

jr_status jr_work_add_sizes(const jr_tunable *tunable, const int64_t *sizes, char work[JR_WORK_BYTES]) {
    enum { DIGITS_MAX = 20 };
    size_t length = strlen(work);
    for (size_t i = 0; i < tunable->size_count; i++) {
        if (length + strlen(tunable->sizes[i]) + 2 + DIGITS_MAX >= JR_WORK_BYTES)
            return jr_fail(
                JR_ERROR_INVALID_ARGUMENT,
                "the names of program and sizes are too long: settings are stored under %d characters at most",
                JR_WORK_BYTES - 1);
        length += (size_t)snprintf(work + length, JR_WORK_BYTES - length, "%c%s=%lld", i == 0 ? ' ' : ',',
                                   tunable->sizes[i], (long long)sizes[i]);
    }
    return JR_OK;
}

bool jr_work_read_sizes(const jr_tunable *tunable, const char *at, int64_t sizes[JR_TUNABLE_SIZES_MAX]) {
    for (size_t i = 0; i < tunable->size_count; i++) {
        const size_t length = strlen(tunable->sizes[i]);
        if (*at != (i == 0 ? ' ' : ',') || strncmp(at + 1, tunable->sizes[i], length) != 0 || at[length + 1] != '=')
            return false;
        at += length + 2;
        if (!jr_space_read_whole(&at, &sizes[i]) || sizes[i] < 1) return false;
    }
    return *at == '\0';
}

bool jr_work_is_tunable(const char *work) {
    return strncmp(work, of_tunable, strlen(of_tunable)) == 0;
}

jr_job_kind jr_work_job_kind(const char *work) {
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++)
        if (strncmp(work, scans[i], strlen(scans[i])) == 0) return JR_JOB_SCAN;
    return JR_JOB_FLAT;
}
