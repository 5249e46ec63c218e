/* Branches, calls, returns and exits. They set the groups' program counters themselves. */
#include <string.h>

#include "barrier.h"
#include "sim/exec/fault.h"
#include "sim/exec/frame.h"
#include "sim/exec/judge/flight.h"
#include "sim/exec/judge/neighbour.h"
#include "sim/exec/lane_group.h"
#include "sim/exec/lanes.h"
#include "sim/ptx/handlers.h"

jrs_next jrs_op_bra(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_group *group = warp->group;
    if (mask == group->mask) {
        group->pc = i->branch.target;
        return JRS_JUMP;
    }
    group->pc++;
    jrs_group_split(warp, mask)->pc = i->branch.target;
    warp->limit = 0; /* choose again: the lowest runs on */
    return JRS_JUMP;
}

/* Every distinct target takes its lanes; the running group keeps those of the last one. */
jrs_next jrs_op_brx(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u32 *index = jrs_at(warp, i->s[0]);
    uint32_t left = mask;
    if (warp->group->mask != mask) {
        jrs_group *rest = jrs_group_split(warp, warp->group->mask & ~mask);
        rest->pc++;
    }
    while (left) {
        uint32_t chosen = index[jrs_first(left)], same = 0;
        if (chosen >= i->branch.count)
            return jrs_fault(warp, i, jrs_first(left), JRS_FAULT_BRANCH, "index %u of %u", chosen, i->branch.count);
        for (uint32_t rest = left; rest; rest &= rest - 1)
            if (index[jrs_first(rest)] == chosen) same |= 1u << jrs_first(rest);
        left &= ~same;
        jrs_group_split(warp, same)->pc = i->branch.targets[chosen];
    }
    warp->limit = 0;
    return JRS_JUMP;
}

/* ---- calls ---- */

/* Parameters in one frame's local memory. */
typedef struct place {
    const jrs_parameter *parameters;
    uint32_t base;
} place;

static void copy_parameters(const jrs_warp *warp, uint32_t mask, place from, place to, uint32_t count) {
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
        uint8_t *local = jrs_local(warp, jrs_first(rest));
        for (uint32_t k = 0; k < count; k++)
            memcpy(local + to.base + to.parameters[k].offset, local + from.base + from.parameters[k].offset,
                   to.parameters[k].bytes);
    }
}

static bool same_sizes(const jrs_parameter *ours, const jrs_parameter *theirs, uint32_t count) {
    uint32_t k = 0;
    while (k < count && ours[k].bytes == theirs[k].bytes) k++;
    return k == count;
}

static bool fits(const jrs_call_site *call, const jrs_function *callee) {
    return callee->defined && call->argument_count == callee->parameter_count &&
           call->result_count == callee->result_count &&
           same_sizes(call->arguments, callee->parameters, call->argument_count) &&
           same_sizes(call->results, callee->results, call->result_count);
}

static jrs_next enter_function(jrs_warp *warp, const jrs_instruction *i, const jrs_function *callee, uint32_t mask) {
    const jrs_call_site *call = i->call;
    if (callee->refusal)
        return jrs_fault(warp, i, jrs_first(mask), JRS_FAULT_BAD_CALL, "%s: %s", callee->name, callee->refusal);
    if (!fits(call, callee))
        return jrs_fault(warp, i, jrs_first(mask), JRS_FAULT_BAD_CALL, "%s is not defined or takes other parameters",
                         callee->name);
    jrs_frame *frame = jrs_frame_push(warp, i, callee, mask);
    if (!frame) return JRS_FAULT;
    copy_parameters(warp, mask, (place){call->arguments, frame->caller->local_base},
                    (place){callee->parameters, frame->local_base}, call->argument_count);
    jrs_group *group = jrs_group_split(warp, mask);
    group->frame = frame;
    group->pc = 0;
    return JRS_JUMP;
}

static const jrs_function *function_at(const jrs_module *module, uint64_t address) {
    uint64_t index = (address & ((UINT64_C(1) << JRS_WINDOW_SHIFT) - 1)) / 16 - 1;
    bool in_window = address >> JRS_WINDOW_SHIFT == JRS_WINDOW_FUNCTION && address % 16 == 0;
    return in_window && index < module->function_count ? module->function_table[index] : NULL;
}

static jrs_next call_indirect(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    const lane_u64 *addresses = jrs_at(warp, i->s[0]);
    const jrs_module *module = warp->group->frame->function->module;
    uint32_t left = mask;
    while (left) {
        uint64_t address = addresses[jrs_first(left)];
        const jrs_function *callee = function_at(module, address);
        uint32_t same = 0;
        if (!callee)
            return jrs_fault(warp, i, jrs_first(left), JRS_FAULT_BAD_ADDRESS, "0x%llx is not a function's address",
                             (unsigned long long)address);
        for (uint32_t rest = left; rest; rest &= rest - 1)
            if (addresses[jrs_first(rest)] == address) same |= 1u << jrs_first(rest);
        left &= ~same;
        if (enter_function(warp, i, callee, same) == JRS_FAULT) return JRS_FAULT;
    }
    return JRS_JUMP;
}

jrs_next jrs_op_call(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    if (mask != warp->group->mask) jrs_group_split(warp, warp->group->mask & ~mask)->pc++;
    warp->limit = 0;
    return i->call->callee ? enter_function(warp, i, i->call->callee, mask) : call_indirect(warp, i, mask);
}

/* ---- returns and exits ---- */

jrs_next jrs_op_exit(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_group *group = warp->group;
    if (!jrs_flights_exit(warp, i, mask)) return JRS_FAULT;
    jrs_frame_leave(group->frame, mask, true);
    warp->live &= ~mask;
    warp->block->exited += (uint32_t)__builtin_popcount(mask);
    group->mask &= ~mask;
    group->pc++;
    if (!group->mask) {
        jrs_group_remove(warp, group);
        warp->group = NULL;
    }
    if (warp->block->exited == warp->block->threads && warp->block->cluster->count > 1 &&
        !jrs_neighbour_leave(warp, i, jrs_first(mask)))
        return JRS_FAULT;
    jrs_barrier_leave(warp);
    jrs_cluster_leave(warp, mask);
    warp->limit = 0;
    return JRS_JUMP;
}

jrs_next jrs_op_ret(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    jrs_frame *frame = warp->group->frame;
    if (!frame->caller) return jrs_op_exit(warp, i, mask);
    const jrs_call_site *call = frame->call;
    copy_parameters(warp, mask, (place){frame->function->results, frame->local_base},
                    (place){call->results, frame->caller->local_base}, call->result_count);
    warp->group->pc++;
    jrs_group *group = jrs_group_split(warp, mask);
    group->frame = frame->caller;
    group->pc = frame->return_pc;
    jrs_frame_leave(frame, mask, false);
    warp->limit = 0;
    return JRS_JUMP;
}

jrs_next jrs_op_trap(jrs_warp *warp, const jrs_instruction *i, uint32_t mask) {
    return jrs_fault(warp, i, jrs_first(mask), JRS_FAULT_TRAP, "%s", "");
}
