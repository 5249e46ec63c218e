/* Sizes slots. */
#include "slots.h"

/* Of every block but the first. */
static uint64_t slot_bytes(const jr_plan *plan, uint64_t count) {
    return ((uint64_t)jr_plan_grid(plan, count) - 1) * JR_SLOT_BYTES(plan->reduction->accumulator_bytes);
}

size_t jr_slots_workspace(const jr_plan *plan) {
    return (size_t)slot_bytes(plan, UINT64_MAX);
}

uint64_t jr_slots_moved(const jr_plan *plan, uint64_t count) {
    return 3 * slot_bytes(plan, count);
}
