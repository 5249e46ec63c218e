/* Names works. */
#include "work.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "program/dtype.h"
#include "program/operator.h"
#include "program/reduction.h"

static const char *const scans[] = {[JR_SCAN_INCLUSIVE] = "inclusive scan ", [JR_SCAN_EXCLUSIVE] = "exclusive scan "};

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
    work[0] = '\0';
    if (job->kind == JR_JOB_SCAN) append(work, "%s", scans[job->scan]);
    for (int i = 0; i < count; i++)
        append(work, "%s%s", i > 0 ? "," : "", jr_operator_find(spec->op_count > 0 ? spec->ops[i] : spec->op)->name);
    for (int i = 0; i < reduction->input_count; i++)
        append(work, "%s%s", i > 0 ? "," : " ", type_name(reduction->inputs[i].type));
    if (spec->accumulate != JR_TYPE_NONE) append(work, " accumulate=%s", type_name(spec->accumulate));
    if (spec->result != JR_TYPE_NONE) append(work, " result=%s", type_name(spec->result));
    if (spec->nan == JR_NAN_IGNORE) append(work, " nan=ignore");
    if (spec->accuracy == JR_ACCURACY_EXACT) append(work, " exact");
    if (spec->accuracy == JR_ACCURACY_REPRODUCIBLE) append(work, " reproducible");
    const bool texts = spec->map != NULL || spec->where != NULL || spec->finish != NULL || spec->combine != NULL ||
                       spec->structure != NULL || spec->parameter_count > 0;
    if (texts) append_digest(spec, work);
}

jr_job_kind jr_work_kind(const char *work) {
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++)
        if (strncmp(work, scans[i], strlen(scans[i])) == 0) return JR_JOB_SCAN;
    return JR_JOB_FLAT;
}
