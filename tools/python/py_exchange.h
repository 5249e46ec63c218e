/* DLPack's exchange tables of classes of arrays, and DLPack's names of types; exports of arrays by DLPack. */
#ifndef PYTHON_EXCHANGE_H
#define PYTHON_EXCHANGE_H

#include "dlpack.h"
#include "py_module.h"

/* Finds what is known of a class, and remembers it, until others are found. NULL with an exception: its table is
 * invalid. */
const pj_class *pj_class_find(pj_state *state, PyTypeObject *type);

/* Finds the table of a class. NULL: the class has no table; or, with an exception set, its table is invalid. */
const dl_exchange *pj_exchange_find(pj_state *state, PyTypeObject *type);

/* exchanges(class) */
PyObject *pj_exchange_has(PyObject *module, PyObject *type);

/* Lets go of all classes and dtypes that are remembered. */
void pj_exchange_forget(pj_state *state);

/* The library's type of DLPack's; JR_TYPE_NONE: it has none. */
jr_type pj_exchange_type(dl_type type);

/* DLPack's type of the library's. */
dl_type pj_exchange_type_of(jr_type type);

/* Raises that elements of a type cannot be reduced. Always NULL. */
void *pj_exchange_type_wrong(dl_type type);

/* Has the class make an array in its own memory; NULL with an exception. The caller has the deleter called, or imports
 * it. shape: as many as there are dimensions. */
dl_managed *pj_exchange_allocate(const dl_exchange *table, jr_type type, dl_device device, int dimensions,
                                 int64_t *shape);

/* Lets go of what has a deleter. managed: may be NULL. */
void pj_exchange_release(dl_managed *managed);

/* Makes the object of the class that an array is, which it takes; NULL with an exception. */
PyObject *pj_exchange_import(const dl_exchange *table, dl_managed *managed);

/* array.dlpack(versioned): a capsule that keeps the array until nobody uses it. */
PyObject *pj_export_capsule(PyObject *self, PyObject *versioned);

/* array.as_class(class): the array as one of a class with an exchange table, which keeps it. */
PyObject *pj_export_as(PyObject *self, PyObject *class);

#endif
