/* Finds meanings. */
#include "meaning.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "exact/state_meaning.h"
#include "spec/operator.h"
#include "spec/spec_expressions.h"

static void add_value(jr_digest *digest, const char *tag, const jr_value *value) {
    jr_digest_number(digest, tag, value != NULL ? (uint64_t)value->type : 0);
    const jr_dtype *type = value != NULL ? jr_dtype_find(value->type) : NULL;
    if (type != NULL) jr_digest_field(digest, tag, value->as.bytes, type->bytes);
}

static void digest_of(const jr_reduction *reduction, uint8_t out[JR_DIGEST_BYTES]) {
    const jr_spec *spec = &reduction->spec;
    jr_expression present[JR_EXPRESSIONS_MAX];
    jr_digest digest;
    jr_digest_begin(&digest);
    jr_state_meaning_digest(reduction, &digest);
    for (int i = 0; i < reduction->output_count; i++)
        jr_digest_number(&digest, "output", (uint64_t)reduction->outputs[i].type);
    jr_digest_number(&digest, "accuracy", (uint64_t)spec->accuracy);
    jr_digest_field(&digest, "ddof", &spec->ddof, sizeof spec->ddof);
    add_value(&digest, "initial", spec->initial);
    const size_t texts = jr_spec_expressions_list(spec, present);
    for (size_t i = 0; i < texts; i++) jr_digest_string(&digest, present[i].what, present[i].text);
    for (int i = 0; i < spec->parameter_count; i++) {
        jr_digest_string(&digest, "parameter", spec->parameters[i].name);
        add_value(&digest, "parameter", &spec->parameters[i].value);
    }
    jr_digest_end(&digest, out);
}

/* "sum,min of f32" */
static void print(const jr_reduction *reduction, char text[JR_MEANING_TEXT_BYTES]) {
    const jr_spec *spec = &reduction->spec;
    const jr_dtype *type = jr_dtype_find(spec->type);
    size_t at = 0;
    const int count = spec->op_count > 0 ? spec->op_count : 1;
    for (int i = 0; i < count && at < JR_MEANING_TEXT_BYTES; i++)
        at += (size_t)snprintf(text + at, JR_MEANING_TEXT_BYTES - at, "%s%s", i > 0 ? "," : "",
                               jr_operator_find(spec->op_count > 0 ? spec->ops[i] : spec->op)->name);
    if (at < JR_MEANING_TEXT_BYTES)
        snprintf(text + at, JR_MEANING_TEXT_BYTES - at, " of %s", type != NULL ? type->name : spec->structure->name);
}

jr_meaning jr_meaning_of(const jr_reduction *reduction) {
    jr_meaning meaning = {.text = ""};
    digest_of(reduction, meaning.digest);
    print(reduction, meaning.text);
    return meaning;
}

jr_status jr_meaning_compare(const jr_meaning *first, const jr_meaning *other, int rank) {
    if (memcmp(first->digest, other->digest, sizeof first->digest) == 0) return JR_OK;
    const bool alike = strncmp(first->text, other->text, sizeof first->text) == 0;
    return jr_fail(JR_ERROR_RANKS_DIFFER, "rank 0 means %.*s and rank %d %.*s%s: all ranks of a group need one spec",
                   JR_MEANING_TEXT_BYTES, first->text, rank, JR_MEANING_TEXT_BYTES, other->text,
                   alike ? ", but with other expressions, types or options" : "");
}
