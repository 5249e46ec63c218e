/* Asks formulas about settings. */
#include "setting.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "expression/formula.h"

enum { AXES = 3 };

void jr_setting_at(const jr_space *space, uint64_t number, int64_t values[]) {
    for (size_t p = space->tunable->parameter_count; p-- > 0; number /= space->counts[p])
        values[p] = space->values[p][number % space->counts[p]];
}

static void set(const jr_space *space, const int64_t values[]) {
    const size_t count = space->tunable->parameter_count, first = space->name_count - count;
    for (size_t p = 0; p < count; p++)
        snprintf(space->numbers[first + p], sizeof space->numbers[0], "%lld", (long long)values[p]);
}

static jr_status compute(const jr_space *space, const char *what, const char *text, int64_t *value) {
    const jr_status status = jr_formula_of(text, space->names, space->name_count, value);
    if (status != JR_ERROR_INVALID_ARGUMENT) return status;
    char why[JR_REASON_BYTES];
    snprintf(why, sizeof why, "%.500s", jr_last_error()->message);
    return jr_fail(status, "%s: %s", what, why);
}

jr_status jr_setting_allowed(const jr_space *space, const int64_t values[], bool *allowed) {
    int64_t holds = 1;
    jr_status status = JR_OK;
    set(space, values);
    for (size_t i = 0; status == JR_OK && holds != 0 && i < space->tunable->restriction_count; i++)
        status = compute(space, "a restriction", space->tunable->restrictions[i], &holds);
    if (status == JR_OK) *allowed = holds != 0;
    return status;
}

static jr_status compute_within(const jr_space *space, const char *what, const char *text, int64_t least,
                                unsigned *value) {
    int64_t found;
    JR_TRY(compute(space, what, text, &found));
    if (found < least || found > INT_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s: '%.200s' is %lld: %lld to %d are possible", what, text,
                       (long long)found, (long long)least, INT_MAX);
    *value = (unsigned)found;
    return JR_OK;
}

/* "X[,Y[,Z]]", of which commas within parentheses are no ends. */
static jr_status compute_extents(const jr_space *space, const char *what, const char *text, unsigned extents[AXES]) {
    jr_status status = JR_OK;
    int axis = 0;
    for (const char *at = text, *end; status == JR_OK; at = end + 1) {
        int depth = 0;
        if (axis == AXES) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s: '%.200s' has more than 3 extents", what, text);
        for (end = at; *end != '\0' && (*end != ',' || depth > 0); end++)
            depth += (*end == '(') - (*end == ')' && depth > 0);
        char *one = jr_bytes_copy(at, (size_t)(end - at));
        if (one == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a formula");
        status = compute_within(space, what, one, 1, &extents[axis++]);
        free(one);
        if (*end == '\0') break;
    }
    return status;
}

jr_status jr_setting_launch(const jr_space *space, const int64_t values[], jr_launch *launch) {
    const jr_tunable *tunable = space->tunable;
    jr_launch made = {.size = sizeof made, .grid = {1, 1, 1}, .block = {1, 1, 1}};
    set(space, values);
    jr_status status = compute_extents(space, "grid", tunable->grid, made.grid);
    if (status == JR_OK) status = compute_extents(space, "block", tunable->block, made.block);
    if (status == JR_OK && tunable->shared != NULL)
        status = compute_within(space, "shared", tunable->shared, 0, &made.shared_bytes);
    if (status == JR_OK) *launch = made;
    return status;
}

jr_program jr_setting_program(const jr_space *space, const int64_t values[], jr_named_text *constants) {
    jr_program program = *space->tunable->program;
    const size_t count = space->tunable->parameter_count;
    set(space, values);
    for (size_t i = 0; i < program.constant_count; i++) constants[i] = program.constants[i];
    for (size_t p = 0; p < count; p++)
        constants[program.constant_count + p] = space->names[space->name_count - count + p];
    program.constants = constants;
    program.constant_count += count;
    return program;
}

void jr_setting_print(const jr_space *space, const int64_t values[], char text[JR_SETTING_BYTES]) {
    size_t length = 0;
    for (size_t p = 0; p < space->tunable->parameter_count; p++)
        length += (size_t)snprintf(text + length, JR_SETTING_BYTES - length, "%s%s=%lld", p > 0 ? "," : "",
                                   space->tunable->parameters[p].name, (long long)values[p]);
}

static bool has(const jr_space *space, size_t p, int64_t value) {
    for (uint64_t i = 0; i < space->counts[p]; i++)
        if (space->values[p][i] == value) return true;
    return false;
}

jr_status jr_setting_read(const jr_space *space, const char *text, int64_t values[]) {
    const char *at = text;
    for (size_t p = 0; p < space->tunable->parameter_count; p++) {
        const char *name = space->tunable->parameters[p].name;
        const size_t length = strlen(name);
        if (strncmp(at, name, length) != 0 || at[length] != '=')
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "setting '%.200s': '%.60s' is not %s=VALUE: give the parameters in their order", text, at,
                           name);
        at += length + 1;
        if (!jr_space_read_whole(&at, &values[p]) || !has(space, p, values[p]))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "setting '%.200s': this value of %s is not among '%.200s'", text,
                           name, space->tunable->parameters[p].text);
        const bool last = p + 1 == space->tunable->parameter_count;
        if (*at != (last ? '\0' : ','))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "setting '%.200s': '%.60s' is not allowed there", text, at);
        at++;
    }
    return JR_OK;
}

jr_status jr_setting_preferred(const jr_space *space, int64_t values[]) {
    bool allowed = false;
    jr_status status = JR_OK;
    if (space->tunable->preferred != NULL) {
        status = jr_setting_read(space, space->tunable->preferred, values);
        if (status == JR_OK) status = jr_setting_allowed(space, values, &allowed);
        if (status == JR_OK && !allowed)
            status = jr_fail(JR_ERROR_INVALID_ARGUMENT, "the preferred setting '%.200s' does not meet the restrictions",
                             space->tunable->preferred);
        return status;
    }
    for (uint64_t i = 0; i < space->points && i < JR_SETTING_LOOKED_AT; i++) {
        jr_setting_at(space, i, values);
        status = jr_setting_allowed(space, values, &allowed);
        if (status != JR_OK || allowed) return status;
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                   "no setting meets the restrictions: %llu%s were tried, '%.200s' "
                   "among them",
                   (unsigned long long)(space->points < JR_SETTING_LOOKED_AT ? space->points : JR_SETTING_LOOKED_AT),
                   space->points > JR_SETTING_LOOKED_AT ? " that were looked at" : "",
                   space->tunable->restriction_count > 0 ? space->tunable->restrictions[0] : "");
}
