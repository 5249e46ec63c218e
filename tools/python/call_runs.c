/* Replays reductions of runs of equal keys: memory has room for as many runs as there are elements, and the arrays that
 * are made of it when the number of runs is known are views of its beginning; where nothing is waited for, of all of
 * it. */
#include "call_runs.h"

/* What the arrays of one call are made of, one after the other: the class's own memory. */
typedef struct runs_memory {
    pj_state *state;
    const pj_seen *like;
    pj_form form;         /* of all that is written, then of what is there */
    dl_managed *parts;    /* of a class that exchanges arrays */
    pj_cupy_places place; /* of CuPy */
    int taken;            /* parts that became arrays */
} runs_memory;

/* false: perhaps with an exception. */
static bool make(runs_memory *memory, const pj_run *run) {
    const pj_site site = {run->table, run->device, run->stream};
    memory->taken = 0;
    memory->parts = NULL;
    if (memory->like->source == PJ_CUPYS)
        return memory->like->stream == run->stream &&
               pj_cupy_reserve(memory->state, memory->like, &memory->form, &memory->place);
    memory->parts = pj_places_take_alone(&memory->form, &site);
    return memory->parts != NULL;
}

static char *begin_of(const runs_memory *memory) {
    return memory->parts ? memory->parts[0].tensor.data : memory->place.address;
}

static bool shorten(runs_memory *memory, uint64_t runs) {
    memory->form.shape[0] = (int64_t)runs;
    if (!memory->parts) return pj_cupy_shape(&memory->form, &memory->place);
    pj_places_shorten(memory->parts, (int64_t)runs);
    return true;
}

/* The array that comes next has no axis. */
static bool make_scalar(runs_memory *memory) {
    memory->form.dimensions = 0;
    if (!memory->parts) return pj_cupy_shape(&memory->form, &memory->place);
    pj_places_scalar(&memory->parts[memory->taken]);
    return true;
}

static PyObject *take_one(runs_memory *memory) {
    const int part = memory->taken++;
    if (memory->parts) return pj_exchange_import(memory->like->table, &memory->parts[part]);
    return pj_cupy_part(memory->state, memory->like, &memory->form, part, &memory->place);
}

static void leave(runs_memory *memory) {
    for (int i = memory->taken; memory->parts && i < memory->form.parts; i++) pj_exchange_release(&memory->parts[i]);
    if (!memory->parts) pj_cupy_leave(&memory->place);
}

/* The next array, or a tuple of so many. */
static PyObject *take(runs_memory *memory, bool tupled, int count) {
    if (!tupled) return take_one(memory);
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *one = take_one(memory);
        if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* Keys, results, counts where they are asked for, of PJ_BOUND the number. */
static PyObject *results_of(const pj_record *record, runs_memory *memory) {
    const int numbered = record->outcome == PJ_BOUND ? 1 : 0, last = 1 + record->counted + numbered,
              several = memory->form.parts - last;
    PyObject *made = PyTuple_New(last + 1);
    for (int i = 0; made && i <= last; i++) {
        const bool fine = !numbered || i < last || make_scalar(memory);
        PyObject *one = fine ? take(memory, i == 1 && record->tupled, several) : NULL;
        if (!one || PyTuple_SetItem(made, i, one)) Py_CLEAR(made);
    }
    return made;
}

PyObject *pj_runs_replay(pj_state *state, const pj_record *record, const pj_key *key, pj_run *run) {
    runs_memory memory = {.state = state, .like = &key->arrays[0], .form = record->form};
    if (!make(&memory, run)) return NULL;
    char *begin = begin_of(&memory);
    const bool waits = record->outcome == PJ_RUNS;
    jr_value runs_found;
    jr_work_data runs = JR_INIT(jr_work_data, .keys = key->arrays[0].data, .run_keys = begin);
    if (waits)
        runs.values = &runs_found;
    else
        runs.run_count = (uint64_t *)(void *)(begin + record->form.part[record->form.parts - 1].offset);
    run->runs = &runs;
    run->out = begin + record->form.part[1].offset - ((pj_spec *)record->plan->spec)->layout.offsets[0];
    PyObject *made = NULL;
    if (pj_plan_start(record->plan, run) && (!waits || shorten(&memory, runs_found.as.u64)))
        made = results_of(record, &memory);
    leave(&memory);
    return made;
}
