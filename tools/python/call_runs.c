/* Replays reductions of runs of equal keys: memory has room for as many runs as there are elements, and the arrays that
 * are made of it when the number of runs is known are views of its beginning. */
#include "call_runs.h"

/* Makes arrays of parts, from a first one on: one, or a tuple. *taken: those that became arrays. */
static PyObject *take(const dl_exchange *table, dl_managed *parts, int count, bool tupled, int *taken) {
    if (!tupled) return pj_exchange_import(table, &parts[(*taken)++]);
    PyObject *tuple = PyTuple_New(count);
    for (int i = 0; tuple && i < count; i++) {
        PyObject *one = pj_exchange_import(table, &parts[(*taken)++]);
        if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
    }
    return tuple;
}

/* (keys, results), or (keys, results, counts). */
static PyObject *results_of(const pj_record *record, const dl_exchange *table, dl_managed *parts, int *taken) {
    const int results = record->form.parts - 1 - record->counted;
    PyObject *made = PyTuple_New(2 + record->counted);
    for (int i = 0; made && i < 2 + record->counted; i++) {
        PyObject *one = take(table, parts, results, i == 1 && record->tupled, taken);
        if (!one || PyTuple_SetItem(made, i, one)) Py_CLEAR(made);
    }
    return made;
}

PyObject *pj_runs_replay(const pj_record *record, const pj_key *key, pj_run *run) {
    const pj_form *form = &record->form;
    const pj_site site = {run->table, run->device, run->stream};
    dl_managed *parts = pj_places_take_alone(form, &site);
    if (!parts) return NULL;
    char *begin = parts[0].tensor.data;
    int taken = 0;
    jr_value runs_found;
    const jr_work_data runs =
        JR_INIT(jr_work_data, .keys = key->arrays[0].data, .run_keys = begin, .values = &runs_found);
    run->runs = &runs;
    run->out = begin + form->part[1].offset - ((pj_spec *)record->plan->spec)->layout.offsets[0];
    PyObject *made = NULL;
    if (pj_plan_start(record->plan, run)) {
        pj_places_shorten(parts, (int64_t)runs_found.as.u64);
        made = results_of(record, run->table, parts, &taken);
    }
    for (int i = taken; i < form->parts; i++) pj_exchange_release(&parts[i]);
    return made;
}
