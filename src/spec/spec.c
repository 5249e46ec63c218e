/* Checks and copies specs. */
#include "spec.h"

#include <string.h>

#include "base/error.h"
#include "spec_expressions.h"
#include "tuning.h"

static jr_status check_ranges(const jr_spec *spec) {
    if (spec->unroll < 0 || spec->unroll > JR_UNROLL_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "unroll factor %d is out of range: 1 to %d, or 0 to have it chosen",
                       spec->unroll, JR_UNROLL_MAX);
    if (spec->block < 0 || spec->block > JR_BLOCK_MAX || spec->block % JR_BLOCK_STEP != 0)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "block of %d threads is not allowed: a multiple of %d from %d to %d, or 0 to have it chosen",
                       spec->block, JR_BLOCK_STEP, JR_BLOCK_STEP, JR_BLOCK_MAX);
    if (spec->grid < 0 || spec->grid > JR_GRID_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "grid of %d blocks is out of range: 1 to %d, or 0 to have it chosen",
                       spec->grid, JR_GRID_MAX);
    if (spec->blocks_per_multiprocessor < 0 || spec->blocks_per_multiprocessor > JR_BLOCKS_PER_MULTIPROCESSOR_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "%d blocks per multiprocessor are out of range: 1 to %d, or 0 to have it chosen",
                       spec->blocks_per_multiprocessor, JR_BLOCKS_PER_MULTIPROCESSOR_MAX);
    if ((int)spec->shared < JR_SHARED_AUTO || spec->shared > JR_SHARED_DYNAMIC)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "unknown shared memory choice %d: set spec.shared to a JR_SHARED_ value", (int)spec->shared);
    return JR_OK;
}

jr_status jr_spec_check(const jr_spec *spec, size_t *weight) {
    const jr_status status = check_ranges(spec);
    return status == JR_OK ? jr_spec_expressions_check(spec, weight) : status;
}

/* The memory for copies, one after the other. */
typedef struct copy_room {
    unsigned char *begin; /* NULL: they are only counted */
    size_t used;
} copy_room;

/* The copy of so many bytes; NULL of NULL, and while copies are counted. */
static void *copy_bytes(copy_room *room, const void *bytes, size_t count) {
    enum { ALIGNMENT = 8 }; /* the strictest of what is copied */
    if (bytes == NULL) return NULL;
    unsigned char *place = room->begin != NULL ? room->begin + room->used : NULL;
    room->used += (count + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return place != NULL ? memcpy(place, bytes, count) : NULL;
}

static const char *copy_text(copy_room *room, const char *text) {
    return copy_bytes(room, text, text != NULL ? strlen(text) + 1 : 0);
}

static const jr_structure *copy_structure(copy_room *room, const jr_structure *structure) {
    jr_structure *copy = copy_bytes(room, structure, sizeof *structure);
    if (structure == NULL) return NULL;
    const char *name = copy_text(room, structure->name), *source = copy_text(room, structure->source);
    if (copy == NULL) return NULL;
    copy->name = name;
    copy->source = source;
    return copy;
}

static const jr_parameter *copy_parameters(copy_room *room, const jr_parameter *parameters, int count) {
    jr_parameter *copies = count > 0 ? copy_bytes(room, parameters, (size_t)count * sizeof *parameters) : NULL;
    for (int i = 0; i < count; i++) {
        const char *name = copy_text(room, parameters[i].name);
        if (copies != NULL) copies[i].name = name;
    }
    return copies;
}

size_t jr_spec_copy(const jr_spec *spec, unsigned char *room, jr_spec *copy) {
    copy_room places = {.begin = room};
    jr_spec made = *spec;
    made.initial = copy_bytes(&places, spec->initial, sizeof *spec->initial);
    made.ops = copy_bytes(&places, spec->ops, (size_t)spec->op_count * sizeof *spec->ops);
    made.combine = copy_text(&places, spec->combine);
    made.identity = copy_text(&places, spec->identity);
    made.map = copy_text(&places, spec->map);
    made.where = copy_text(&places, spec->where);
    made.finish = copy_text(&places, spec->finish);
    made.structure = copy_structure(&places, spec->structure);
    made.parameters = copy_parameters(&places, spec->parameters, spec->parameter_count);
    if (room != NULL) *copy = made;
    return places.used;
}
