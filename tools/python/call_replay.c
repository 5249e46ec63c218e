/* Replays recorded calls: streams are ordered, memory for results is made, the plan is put on the stream. */
#include "call_replay.h"

#include "call_results.h"
#include "call_runs.h"
#include "order.h"

/* The inputs in the order of the spec: arrays by their place, then a mask. */
static bool take_arrays(pj_state *state, const pj_record *record, pj_key *key, pj_run *run) {
    for (int i = 0; i < key->array_count; i++)
        if (!pj_seen_stream(state, &key->arrays[i], i > 0 ? &key->arrays[0] : NULL)) return false;
    const int keys = pj_record_is_of_runs(record) ? 1 : 0,
              inputs = record->inputs - keys; /* keys come before the inputs */
    for (int i = 0; i < inputs; i++) run->data[i] = key->arrays[keys + i].data + record->moved[i];
    if (record->masked) run->data[inputs] = key->arrays[key->where].data + record->moved[inputs];
    run->count = record->count ? record->count : key->arrays[0].count;
    run->device = key->arrays[0].device;
    run->table = key->arrays[0].table;
    run->stream = key->has_stream ? key->asked : key->arrays[0].stream;
    return true;
}

/* Memory of a DeviceArray that is used on another stream than its own is marked as such by Python's layer. */
static bool is_on_its_stream(const pj_key *key, const pj_run *run) {
    for (int i = 0; i < key->array_count; i++)
        if (key->arrays[i].source == PJ_OWN && key->arrays[i].stream != run->stream) return false;
    return true;
}

/* Lets the stream of the run wait for those on which the arrays are made. */
static bool order(const pj_record *record, const pj_key *key, const pj_run *run) {
    for (int i = 0; i < key->array_count; i++)
        if (!pj_order_after(record->plan->context, key->arrays[i].stream, run->stream)) return false;
    return true;
}

static PyObject *numbers(const pj_record *record, const pj_run *run) {
    jr_value values[JR_OPS_MAX];
    if (!pj_plan_wait(record->plan, run, values)) return NULL;
    const int count = ((const pj_spec *)record->plan->spec)->layout.count;
    return record->tupled ? pj_numbers_of(count, values) : pj_number_of(&values[0]);
}

static PyObject *write_out(const pj_record *record, const pj_key *key, pj_run *run) {
    const pj_seen *out = &key->arrays[key->out];
    run->out = out->data;
    if (!pj_plan_start(record->plan, run)) return NULL;
    if (!key->has_stream && !pj_order_after(record->plan->context, run->stream, out->stream)) return NULL;
    return Py_NewRef(out->object);
}

static PyObject *make_new(pj_state *state, pj_record *record, const pj_key *key, pj_run *run) {
    pj_results results;
    if (!pj_results_make(state, record, key, run, &results)) return NULL;
    run->out = results.address;
    if (pj_plan_start(record->plan, run)) return pj_results_take(state, record, &results);
    pj_results_release(&results);
    return NULL;
}

PyObject *pj_replay(pj_state *state, pj_record *record, pj_key *key, pj_outcome outcome) {
    pj_run run = {.count = 0};
    if (!take_arrays(state, record, key, &run) || !is_on_its_stream(key, &run) || !order(record, key, &run))
        return NULL;
    if (outcome == PJ_VALUE) return numbers(record, &run);
    if (!pj_plan_look(record->plan, &run) || run.captured) return NULL; /* waiting may have drawn it into a capture */
    if (pj_record_is_of_runs(record)) return pj_runs_replay(state, record, key, &run);
    return outcome == PJ_OUT ? write_out(record, key, &run) : make_new(state, record, key, &run);
}
