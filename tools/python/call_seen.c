/* Arrays in device memory as calls that are replayed see them. Invariant: what is not certain is not seen, and the call
 * is left to Python's layer, whose errors it has. */
#include "call_seen.h"

#include "array.h"
#include "call_cupy.h"

static bool serves(const dl_exchange *table) {
    return table->borrow && table->export && table->current_stream && table->allocate && table->import;
}

pj_source pj_source_of(pj_state *state, PyTypeObject *type, const dl_exchange **table) {
    *table = NULL;
    if (state->own == type) return PJ_OWN;
    const pj_class *found = pj_class_find(state, type);
    *table = found ? found->table : NULL;
    if (*table) return serves(*table) ? PJ_EXCHANGED : PJ_NOT_SEEN;
    return found && found->cupys ? PJ_CUPYS : PJ_NOT_SEEN;
}

/* Strides where they matter, and the number of elements; false: none. */
static bool settle(pj_seen *seen) {
    seen->count = 1;
    for (int i = 0; i < seen->dimensions; i++) {
        if (seen->shape[i] == 1) seen->strides[i] = 0;
        seen->count *= (uint64_t)seen->shape[i];
    }
    return seen->count > 0 && seen->device.type != DL_CPU;
}

static bool take_tensor(pj_seen *seen, const dl_tensor *tensor) {
    int64_t natural = 1;
    if (tensor->dimensions > PJ_FORM_DIMENSIONS || tensor->device.type == DL_CPU) return false;
    seen->data = (char *)tensor->data + tensor->offset_bytes;
    seen->type = tensor->type;
    seen->device = tensor->device;
    seen->dimensions = tensor->dimensions;
    for (int i = tensor->dimensions - 1; i >= 0; natural *= tensor->shape[i], i--) {
        seen->shape[i] = tensor->shape[i];
        seen->strides[i] = tensor->strides ? tensor->strides[i] : natural;
    }
    return settle(seen);
}

static bool borrow(pj_seen *seen) {
    dl_tensor tensor;
    return seen->table->borrow(seen->object, &tensor) == 0 && take_tensor(seen, &tensor);
}

/* Only an exported tensor says whether it may be written, which costs PyTorch's more than a borrowed one, and theirs
 * always may. */
static bool export(pj_state *state, pj_seen *seen) {
    dl_managed *managed = NULL;
    if (pj_class_find(state, Py_TYPE(seen->object))->torchs) return borrow(seen);
    if (seen->table->export(seen->object, &managed) != 0 || !managed) return false;
    bool fine = managed->version.major == DL_MAJOR && take_tensor(seen, &managed->tensor);
    seen->readonly = (managed->flags & DL_READ_ONLY) != 0;
    pj_exchange_release(managed);
    return fine;
}

static bool take_own(const pj_state *state, pj_seen *seen) {
    PyObject *object = PyObject_GetAttr(seen->object, state->names.array);
    const pj_array *array = (const pj_array *)object;
    bool fine = object && Py_TYPE(object) == state->array && array->dimensions <= PJ_FORM_DIMENSIONS;
    if (fine) {
        const Py_ssize_t bytes = (Py_ssize_t)jr_type_size(array->type);
        seen->data = array->address;
        seen->type = pj_exchange_type_of(array->type);
        seen->device = array->device;
        seen->readonly = array->readonly;
        seen->dimensions = array->dimensions;
        seen->stream = (uintptr_t)array->stream == 1 ? NULL : array->stream;
        for (int i = 0; i < array->dimensions; i++) {
            seen->shape[i] = array->shape[i];
            seen->strides[i] = array->strides[i] / bytes;
            fine = fine && array->strides[i] % bytes == 0;
        }
    }
    Py_XDECREF(object);
    return fine && settle(seen);
}

bool pj_see(pj_state *state, PyObject *object, pj_sight sight, pj_seen *seen) {
    seen->object = object;
    seen->readonly = false;
    seen->stream = NULL;
    seen->source = pj_source_of(state, Py_TYPE(object), &seen->table);
    bool fine = seen->source == PJ_EXCHANGED ? (sight == PJ_WRITTEN ? export(state, seen) : borrow(seen))
                : seen->source == PJ_OWN     ? take_own(state, seen)
                : seen->source == PJ_CUPYS   ? pj_cupy_see(state, seen, sight == PJ_FLAT) && settle(seen)
                                             : false;
    if (!fine) PyErr_Clear();
    return fine;
}

bool pj_seen_stream(pj_state *state, pj_seen *seen, const pj_seen *before) {
    if (seen->source == PJ_OWN) return true;
    if (before && before->source == seen->source && before->table == seen->table &&
        before->device.type == seen->device.type && before->device.id == seen->device.id) {
        seen->stream = before->stream;
        return true;
    }
    if (seen->source == PJ_CUPYS) return pj_cupy_stream(state, seen);
    void *stream = NULL;
    if (seen->table->current_stream((dl_device_type)seen->device.type, seen->device.id, &stream) != 0) return false;
    seen->stream = (uintptr_t)stream == 1 ? NULL : stream;
    return true;
}
