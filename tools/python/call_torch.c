/* PyTorch's own memory for results of replayed calls: torch.empty_like is one call, where memory by the exchange table
 * is a tensor, what it exports, and a tensor that imports that. */
#include "call_torch.h"

/* Are results of that form an array of this type and shape, in C order? */
static bool has_form(const pj_seen *seen, const pj_form *form) {
    const dl_type type = form->part[0].told;
    bool has = form->plain && seen->type.code == type.code && seen->type.bits == type.bits && seen->type.lanes == 1 &&
               seen->dimensions == form->dimensions;
    for (int i = 0; has && i < form->dimensions; i++) has = seen->shape[i] == form->shape[i];
    return has && pj_seen_is_c_ordered(seen);
}

PyObject *pj_torch_make(pj_state *state, const pj_seen *like, const pj_form *form, void **address) {
    if (!has_form(like, form)) return NULL;
    PyObject *torch = PyImport_GetModule(state->names.torch);
    PyObject *made = torch ? PyObject_CallMethodObjArgs(torch, state->names.empty_like, like->object, NULL) : NULL;
    pj_seen seen;
    Py_XDECREF(torch);
    PyErr_Clear();
    if (made && (!pj_see(state, made, false, &seen) || !has_form(&seen, form) || seen.device.id != like->device.id))
        Py_CLEAR(made);
    if (made) *address = seen.data;
    return made;
}
