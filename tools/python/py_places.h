/* Places for results in memory of others: many of them are made at once, and each is used once. */
#ifndef PYTHON_PLACES_H
#define PYTHON_PLACES_H

#include "py_exchange.h"

/* PJ_SHARED_BYTES_MAX: larger results have memory of their own. */
enum {
    PJ_SHARED_BYTES_MAX = 256 << 10,
    PJ_FORM_DIMENSIONS = 8,
    PJ_PARTS_MAX = JR_OPS_MAX + 2
}; /* of results that have a form */

/* How the results of one call lie: those of all operators side by side, each operator's at its own strides. */
typedef struct pj_form {
    int parts; /* arrays, one for each operator; of runs of keys the keys before them, and perhaps their number after */
    int dimensions;
    int64_t shape[PJ_FORM_DIMENSIONS];
    struct {
        jr_type type;
        dl_type told; /* the same, as DLPack has it */
        size_t offset;
        int64_t strides[PJ_FORM_DIMENSIONS]; /* in elements */
    } part[PJ_PARTS_MAX];
    uint64_t bytes; /* of all results */
    bool plain;     /* one part, in C order */
} pj_form;

/* Fills in the form of results of which each element's are as the library writes them. order: the axes as they lie in
 * memory, the outermost first. */
pj_form pj_form_of(const jr_result_layout *layout, int dimensions, const int64_t *shape, const int *order);

/* The form of results of runs of equal keys with room for as many as there are elements: keys, then results; with
 * numbered, then the number of runs, whose array has no axis: pj_places_scalar, pj_cupy_shape. */
pj_form pj_form_of_runs(const jr_result_layout *layout, jr_type key_type, int64_t elements, bool numbered);

/* Who makes the memory, and where it is used. */
typedef struct pj_site {
    const dl_exchange *table;
    dl_device device;
    jr_stream stream;
} pj_site;

/* The bytes from one place to the next, and how many places of a form memory is made for. used: how many were made
 * before and are all used; 0: none. */
uint64_t pj_places_step(const pj_form *form);
int pj_places_count(const pj_form *form, int used);

typedef struct pj_places pj_places;

/* Takes device memory for the results of one call as DLPack tensors, as many as the form has parts, one after the
 * other; the caller imports each, or calls its deleter. *places: NULL, or what an earlier call with the same form
 * stored there. Returns NULL with an exception on failure. */
dl_managed *pj_places_take(pj_places **places, const pj_form *form, const pj_site *site);

/* Takes memory that no other results share, and whose size along the first axis pj_places_shorten sets later. */
dl_managed *pj_places_take_alone(const pj_form *form, const pj_site *site);
void pj_places_shorten(dl_managed *first, int64_t length);

/* One that was taken becomes an array without an axis. */
void pj_places_scalar(dl_managed *taken);

/* Makes no more places of these; they are freed when the last one is. places: may be NULL. */
void pj_places_leave(pj_places *places);

#endif
