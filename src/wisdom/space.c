/* Reads what the parameters of a tunable are, and names all that formulas know. */
#include "space.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { VALUES_MAX = 4096, DEVICE_NAMES = 6, NAME_LENGTH_MAX = 63 };

/* ---- values of a parameter ---- */

static jr_status add_value(jr_space *space, size_t p, int64_t value) {
    const char *name = space->tunable->parameters[p].name;
    for (uint64_t i = 0; i < space->counts[p]; i++)
        if (space->values[p][i] == value)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s has the value %lld twice", name, (long long)value);
    if (space->counts[p] == VALUES_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s has more than %d values", name, VALUES_MAX);
    space->values[p][space->counts[p]++] = value;
    return JR_OK;
}

bool jr_space_read_whole(const char **at, int64_t *value) {
    char *end;
    while (isspace((unsigned char)**at)) (*at)++;
    errno = 0;
    const long long found = strtoll(*at, &end, 0);
    if (end == *at || errno == ERANGE) return false;
    while (isspace((unsigned char)*end)) end++;
    *at = end;
    *value = found;
    return true;
}

/* first .. last, by steps that are added, or factors. */
static jr_status add_range(jr_space *space, size_t p, int64_t first, int64_t last, char sign, int64_t step) {
    jr_status status = JR_OK;
    for (int64_t value = first; status == JR_OK && value <= last;) {
        status = add_value(space, p, value);
        if (sign == '*' ? __builtin_mul_overflow(value, step, &value) : __builtin_add_overflow(value, step, &value))
            break;
    }
    return status;
}

static jr_status read_values(jr_space *space, size_t p) {
    const jr_named_text *parameter = &space->tunable->parameters[p];
    jr_status status = JR_OK;
    const char *at = parameter->text;
    for (bool more = true; more && status == JR_OK;) {
        int64_t first, last, step = 1;
        char sign = '+';
        bool fine = jr_space_read_whole(&at, &first);
        const bool range = fine && strncmp(at, "..", 2) == 0;
        if (range) {
            at += 2;
            fine = jr_space_read_whole(&at, &last) && last >= first;
            if (fine && (*at == '+' || *at == '*')) {
                sign = *at++;
                fine = jr_space_read_whole(&at, &step) && step >= (sign == '*' ? 2 : 1) && (sign == '+' || first > 0);
            }
        }
        more = *at == ',';
        if (!fine || (!more && *at != '\0'))
            return jr_fail(
                JR_ERROR_INVALID_ARGUMENT,
                "parameter %s: '%.200s' is not a list of whole numbers like '1,2,4,8', '1..16' or '32..1024*2'",
                parameter->name, parameter->text);
        status = range ? add_range(space, p, first, last, sign, step) : add_value(space, p, first);
        if (more) at++;
    }
    return status;
}

/* ---- names ---- */

static bool is_identifier(const char *name) {
    if (name == NULL || !(isalpha((unsigned char)*name) || *name == '_') || strlen(name) > NAME_LENGTH_MAX)
        return false;
    for (; *name != '\0'; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}

/* What a name already names ("a size", "a parameter", ...), for a message; NULL: the name is free. */
static const char *find_kind(const jr_tunable *tunable, size_t parameters, size_t sizes, const char *name) {
    const jr_program *program = tunable->program;
    for (size_t i = 0; i < program->constant_count; i++)
        if (program->constants[i].name != NULL && strcmp(program->constants[i].name, name) == 0)
            return "a constant of the program";
    for (size_t i = 0; i < sizes; i++)
        if (strcmp(tunable->sizes[i], name) == 0) return "a size";
    for (size_t i = 0; i < parameters; i++)
        if (strcmp(tunable->parameters[i].name, name) == 0) return "a parameter";
    return NULL;
}

static jr_status check_names(const jr_tunable *tunable) {
    size_t length = 0;
    for (size_t i = 0; i < tunable->size_count + tunable->parameter_count; i++) {
        const bool size = i < tunable->size_count;
        const size_t p = size ? 0 : i - tunable->size_count;
        const char *name = size ? tunable->sizes[i] : tunable->parameters[p].name;
        if (!is_identifier(name))
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "%s %zu: '%.80s' is not a name: use letters, digits and _, up to %d",
                           size ? "size" : "parameter", size ? i : p, name != NULL ? name : "(NULL)", NAME_LENGTH_MAX);
        const char *kind = find_kind(tunable, p, size ? i : tunable->size_count, name);
        if (kind != NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%s is given twice: it is %s, too", name, kind);
        if (!size && tunable->parameters[p].text == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "parameter %s has no values", name);
        if (!size) length += strlen(name) + 2 + 20;
    }
    if (length >= JR_SETTING_BYTES)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "the names of all parameters are too long: %d characters with their "
                       "values at most",
                       JR_SETTING_BYTES - 1);
    return JR_OK;
}

static jr_status check(const jr_tunable *tunable) {
    if (tunable->program == NULL || tunable->program->name == NULL || tunable->grid == NULL || tunable->block == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "a tunable needs a program with a name, a grid and a block");
    if (tunable->parameter_count < 1 || tunable->parameter_count > JR_TUNABLE_PARAMETERS_MAX ||
        tunable->parameters == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu parameters: give 1 to %d", tunable->parameter_count,
                       JR_TUNABLE_PARAMETERS_MAX);
    if (tunable->size_count > JR_TUNABLE_SIZES_MAX || (tunable->size_count > 0 && tunable->sizes == NULL))
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "%zu sizes: %d at most", tunable->size_count, JR_TUNABLE_SIZES_MAX);
    for (size_t i = 0; i < tunable->restriction_count; i++)
        if (tunable->restrictions == NULL || tunable->restrictions[i] == NULL)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "restriction %zu is NULL", i);
    return check_names(tunable);
}

static void name_number(jr_space *space, size_t at, const char *name, int64_t value) {
    snprintf(space->numbers[at], sizeof space->numbers[at], "%lld", (long long)value);
    space->names[at] = (jr_named_text){name, space->numbers[at]};
}

/* The device's, the constants, the sizes; the parameters get their texts with a setting. */
static void name_all(jr_space *space, const int64_t *sizes, const jr_device_info *device) {
    const jr_tunable *tunable = space->tunable;
    const jr_program *program = tunable->program;
    size_t at = 0;
    name_number(space, at++, "WARP", device->warp_size);
    name_number(space, at++, "MULTIPROCESSORS", device->multiprocessor_count);
    name_number(space, at++, "CAPABILITY", 10 * device->capability_major + device->capability_minor);
    name_number(space, at++, "THREADS_MAX", device->max_threads_per_block);
    name_number(space, at++, "SHARED_MAX", (int64_t)device->shared_bytes_per_block_optin);
    name_number(space, at++, "L2_BYTES", (int64_t)device->l2_bytes);
    for (size_t i = 0; i < program->constant_count; i++)
        space->names[at++] = (jr_named_text){program->constants[i].name, program->constants[i].text};
    for (size_t i = 0; i < tunable->size_count; i++, at++) name_number(space, at, tunable->sizes[i], sizes[i]);
    for (size_t i = 0; i < tunable->parameter_count; i++, at++) name_number(space, at, tunable->parameters[i].name, 0);
    space->name_count = at;
}

jr_status jr_space_open(const jr_tunable *tunable, const int64_t *sizes, const jr_device_info *device,
                        jr_space *space) {
    jr_space made = {.tunable = tunable, .points = 1};
    jr_status status = check(tunable);
    if (status != JR_OK) return status;
    for (size_t i = 0; i < tunable->size_count; i++)
        if (sizes == NULL || sizes[i] < 1)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT, "size %s: %lld; it must be 1 or more", tunable->sizes[i],
                           sizes != NULL ? (long long)sizes[i] : 0);
    const size_t names =
        DEVICE_NAMES + tunable->program->constant_count + tunable->size_count + tunable->parameter_count;
    made.names = calloc(names, sizeof *made.names);
    made.numbers = calloc(names, sizeof *made.numbers);
    bool memory = made.names != NULL && made.numbers != NULL;
    for (size_t p = 0; memory && status == JR_OK && p < tunable->parameter_count; p++) {
        made.values[p] = calloc(VALUES_MAX, sizeof *made.values[p]);
        memory = made.values[p] != NULL;
        if (memory) status = read_values(&made, p);
        if (__builtin_mul_overflow(made.points, made.counts[p], &made.points)) made.points = UINT64_MAX;
    }
    if (!memory)
        status =
            jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the values of %zu parameters", tunable->parameter_count);
    if (status == JR_OK)
        name_all(&made, sizes, device);
    else
        jr_space_close(&made);
    if (status == JR_OK) *space = made;
    return status;
}

void jr_space_close(jr_space *space) {
    for (size_t p = 0; p < JR_TUNABLE_PARAMETERS_MAX; p++) free(space->values[p]);
    free(space->names);
    free(space->numbers);
    *space = (jr_space){0};
}
