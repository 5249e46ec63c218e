/* Results of replayed calls: of classes that exchange arrays, of jitreduce.DeviceArray, and of CuPy. */
#include "call_results.h"

#include "array.h"
#include "call_cupy.h"
#include "py_memory.h"

/* ---- classes with an exchange table ---- */

static bool make_exchanged(pj_record *record, const pj_run *run, pj_results *results) {
    pj_form *form = &record->form;
    const pj_site site = {run->table, run->device, run->stream};
    results->table = run->table;
    results->managed =
        form->plain && form->bytes > PJ_SHARED_BYTES_MAX
            ? pj_exchange_allocate(run->table, form->part[0].type, run->device, form->dimensions, form->shape)
            : pj_places_take(&record->places, form, &site);
    if (!results->managed) return false;
    const dl_tensor *tensor = &results->managed->tensor;
    results->address = (char *)tensor->data + tensor->offset_bytes - form->part[0].offset;
    return true;
}

/* ---- jitreduce.DeviceArray ---- */

static bool make_own(const pj_record *record, const pj_state *state, pj_results *results) {
    results->memory = pj_memory_new(state, record->plan->context, record->form.bytes, results->stream);
    if (results->memory) results->address = pj_memory_address(results->memory);
    return results->memory != NULL;
}

/* The Array that sees a part. */
static PyObject *array_of(const pj_state *state, const pj_form *form, int part, const pj_results *results) {
    pj_array *array = pj_array_new(state->array);
    if (!array) return NULL;
    array->owner = Py_NewRef(results->memory);
    array->address = (char *)results->address + form->part[part].offset;
    array->type = form->part[part].type;
    array->device = results->device;
    array->stream = results->stream;
    array->dimensions = form->dimensions;
    for (int i = 0; i < form->dimensions; i++) {
        array->shape[i] = (Py_ssize_t)form->shape[i];
        array->strides[i] = (Py_ssize_t)(form->part[part].strides[i] * (int64_t)jr_type_size(array->type));
    }
    return (PyObject *)array;
}

static PyObject *own_of(const pj_record *record, const pj_state *state, int part, const pj_results *results) {
    PyObject *nothing = PyTuple_New(0), *array = array_of(state, &record->form, part, results);
    PyObject *made =
        nothing && array ? ((newfunc)PyType_GetSlot(state->own, Py_tp_new))(state->own, nothing, NULL) : NULL;
    if (made && (PyObject_SetAttr(made, state->names.context_of, record->owner) ||
                 PyObject_SetAttr(made, state->names.memory, results->memory) ||
                 PyObject_SetAttr(made, state->names.array, array)))
        Py_CLEAR(made);
    Py_XDECREF(nothing);
    Py_XDECREF(array);
    return made;
}

/* ---- all ---- */

bool pj_results_make(pj_state *state, pj_record *record, const pj_key *key, const pj_run *run, pj_results *results) {
    const pj_seen *x = &key->arrays[0];
    results->table = NULL;
    results->memory = NULL;
    results->parts = record->form.parts;
    results->taken = 0;
    results->stream = run->stream ? run->stream : (jr_stream)1;
    results->device = run->device;
    if (x->source == PJ_OWN) return make_own(record, state, results);
    if (x->source == PJ_EXCHANGED) return make_exchanged(record, run, results);
    return x->stream == run->stream &&
           pj_cupy_make(state, x, &record->form, &record->cupys, results->made, &results->address);
}

static PyObject *take_one(const pj_record *record, const pj_state *state, int part, pj_results *results) {
    if (results->memory) return own_of(record, state, part, results);
    results->taken = part + 1;
    if (results->table) return pj_exchange_import(results->table, &results->managed[part]);
    return results->made[part];
}

static PyObject *take_tuple(const pj_record *record, const pj_state *state, pj_results *results) {
    PyObject *tuple = PyTuple_New(results->parts);
    for (int i = 0; tuple && i < results->parts; i++) {
        PyObject *one = take_one(record, state, i, results);
        if (!one || PyTuple_SetItem(tuple, i, one)) Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *pj_results_take(const pj_state *state, const pj_record *record, pj_results *results) {
    PyObject *made = record->tupled ? take_tuple(record, state, results) : take_one(record, state, 0, results);
    pj_results_release(results);
    return made;
}

void pj_results_release(pj_results *results) {
    for (int i = results->taken; !results->memory && i < results->parts; i++)
        if (results->table)
            pj_exchange_release(&results->managed[i]);
        else
            Py_DECREF(results->made[i]);
    Py_XDECREF(results->memory);
}
