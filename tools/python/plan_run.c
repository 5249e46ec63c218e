/* Runs of plans: each stream has a workspace of its own, each captured run one that nothing else uses.
 *
 * Runs are put on their stream without the GIL, one at a time: a full stream may wait for a function that needs it. */
#include "py_plan.h"

#include <stdlib.h>

#include "errors.h"
#include "py_number.h"

static jr_context *context_of(const pj_plan *plan) {
    return ((pj_context *)plan->context)->context;
}

/* true, or false with an exception. */
static bool check(const pj_plan *plan, jr_status status) {
    if (status == JR_OK) return true;
    if (status == JR_ERROR_OUT_OF_MEMORY && jr_last_error()->status != status) return PyErr_NoMemory() != NULL;
    return pj_raise(PyType_GetModuleState(Py_TYPE((PyObject *)plan))) != NULL;
}

static void lock(const pj_plan *plan) {
    PyThread_acquire_lock(plan->lock, WAIT_LOCK);
}

/* ---- workspaces ---- */

enum { SLOTS = 64 };

/* No streams have these handles: that of a slot to be, and that of slots of captured runs. */
static const uintptr_t next_one = UINTPTR_MAX, taken = UINTPTR_MAX - 1;

void pj_plan_clear(pj_plan *plan) {
    for (int i = 0; i < plan->slot_count; i++) {
        jr_memory_free(context_of(plan), plan->slots[i].workspace);
        jr_plan_destroy(plan->slots[i].valued);
    }
    plan->slot_count = 0;
}

/* A program that makes streams again and again does not make it keep more and more. */
static void bound_slots(pj_plan *plan) {
    if (plan->slot_count % SLOTS == SLOTS - 1 && !plan->kept && jr_context_wait(context_of(plan)) == JR_OK)
        pj_plan_clear(plan);
}

/* What the plan has for a stream, made if absent; NULL: no memory. The first one has the plan's own workspace. */
static pj_slot *find_slot(pj_plan *plan, jr_stream stream) {
    for (int i = 0; i < plan->slot_count; i++)
        if (plan->slots[i].stream == stream) return &plan->slots[i];
    bound_slots(plan);
    pj_slot *slots = realloc(plan->slots, ((size_t)plan->slot_count + 1) * sizeof *slots);
    if (!slots) return NULL;
    plan->slots = slots;
    slots[plan->slot_count] = (pj_slot){.stream = stream};
    return &slots[plan->slot_count++];
}

/* Memory that the slot keeps. */
static jr_status make_workspace(pj_plan *plan, pj_slot *slot, jr_stream stream) {
    void *made;
    jr_status status = jr_memory_new(context_of(plan), plan->workspace_bytes, &made);
    if (status != JR_OK) return status;
    status = jr_plan_workspace_prepare(plan->plan, made, stream);
    if (status == JR_OK)
        slot->workspace = made;
    else
        jr_memory_free(context_of(plan), made);
    return status;
}

static jr_status find_workspace(pj_plan *plan, jr_stream stream, void **workspace) {
    pj_slot *slot = find_slot(plan, stream);
    if (!slot) return JR_ERROR_OUT_OF_MEMORY;
    jr_status status = JR_OK;
    if (slot != plan->slots && !slot->workspace) status = make_workspace(plan, slot, stream);
    *workspace = slot->workspace;
    return status;
}

/* Captured runs go into a graph, which may be launched at the same time as anything: their workspace is never found
 * again. */
static jr_status captured_workspace(pj_plan *plan, const pj_run *run, dl_managed *scratch, void **workspace) {
    if (scratch) {
        *workspace = scratch->tensor.data;
        return jr_plan_workspace_prepare(plan->plan, *workspace, run->stream);
    }
    (void)find_slot(plan, run->stream); /* the first slot is a stream's, whose workspace is the plan's own */
    pj_slot *slot = find_slot(plan, (jr_stream)next_one);
    if (!slot) return JR_ERROR_OUT_OF_MEMORY;
    jr_status status = make_workspace(plan, slot, run->stream);
    *workspace = slot->workspace;
    if (status == JR_OK) slot->stream = (jr_stream)taken;
    return status;
}

/* ---- runs ---- */

static jr_status put_on_stream(const pj_plan *plan, const pj_run *run, void *workspace) {
    jr_work_data data = run->runs ? *run->runs : JR_INIT(jr_work_data);
    const bool many = plan->layout.kind == JR_SEGMENTS_ARRAYS;
    data.in = many ? NULL : run->data;
    data.count = run->count;
    data.out = run->out;
    if (plan->layout.kind != 0 && !many && !run->runs) data.segments = plan->segments;
    return jr_work_plan_run(plan->plan, &data, workspace, run->stream);
}

static jr_status start(pj_plan *plan, const pj_run *run, dl_managed *scratch) {
    void *workspace = NULL;
    jr_status status = plan->workspace_bytes == 0 ? JR_OK
                       : run->captured            ? captured_workspace(plan, run, scratch, &workspace)
                                                  : find_workspace(plan, run->stream, &workspace);
    return status == JR_OK ? put_on_stream(plan, run, workspace) : status;
}

/* The default stream cannot be captured, and need not be asked. */
bool pj_plan_look(const pj_plan *plan, pj_run *run) {
    run->captured = 0;
    if (run->stream == NULL) return true;
    return check(plan, jr_capture_query(context_of(plan), run->stream, &run->captured));
}

bool pj_plan_start(pj_plan *plan, const pj_run *run) {
    dl_managed *scratch = NULL;
    if (run->captured && run->table && plan->workspace_bytes > 0) {
        int64_t bytes = (int64_t)plan->workspace_bytes;
        scratch = pj_exchange_allocate(run->table, JR_U8, run->device, 1, &bytes);
        if (!scratch) return false;
    }
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    lock(plan);
    status = start(plan, run, scratch);
    PyThread_release_lock(plan->lock);
    Py_END_ALLOW_THREADS;
    pj_exchange_release(scratch);
    if (status == JR_OK && run->captured && !plan->kept) {
        plan->kept = true;
        Py_INCREF((PyObject *)plan);
    }
    return check(plan, status);
}

/* Nothing may be made while the stream is captured: it is refused before, with the words of what waits. */
static jr_status wait(pj_plan *plan, const pj_run *run, jr_value *values) {
    int captured = 0;
    jr_status status = jr_capture_query(context_of(plan), run->stream, &captured);
    if (status != JR_OK || captured) return captured ? jr_stream_wait(context_of(plan), run->stream) : status;
    pj_slot *slot = find_slot(plan, run->stream);
    if (!slot) return JR_ERROR_OUT_OF_MEMORY;
    jr_work work = JR_INIT(jr_work, .spec = &((pj_spec *)plan->spec)->spec);
    if (!slot->valued) status = jr_work_plan_create(context_of(plan), &work, &slot->valued);
    return status == JR_OK ? jr_plan_value(slot->valued, run->data, run->count, run->stream, values) : status;
}

bool pj_plan_wait(pj_plan *plan, const pj_run *run, jr_value values[JR_OPS_MAX]) {
    if (plan->layout.kind != 0 || plan->scans) {
        PyErr_SetString(PyExc_ValueError, "only a reduction of all elements returns numbers");
        return false;
    }
    jr_status status;
    Py_BEGIN_ALLOW_THREADS;
    lock(plan);
    status = wait(plan, run, values);
    PyThread_release_lock(plan->lock);
    Py_END_ALLOW_THREADS;
    return check(plan, status);
}

PyObject *pj_plan_numbers(const pj_plan *plan, const jr_value values[JR_OPS_MAX]) {
    int count = ((const pj_spec *)plan->spec)->layout.count;
    return count == 1 ? pj_number_of(&values[0]) : pj_numbers_of(count, values);
}
