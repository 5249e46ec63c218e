/* Places for results: to make an array costs a class of arrays as much as the rest of a call, so that one array has the
 * places of many small results. Each place is used once: no result is written where another one was. */
#include "py_places.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A place that is kept keeps all of them: those of larger results are fewer, and of large ones there is one. */
enum { PLACES = 64, SHARED_BYTES_MAX = 4096, ALL_BYTES_MAX = 64 << 10, ALIGNED_ONE = 16, ALIGNED = 256 };

struct pj_places {
    dl_managed *memory;
    pj_site site;
    pj_form form;
    uint64_t place_bytes;
    int next, count;
    atomic_int users;    /* parts that are used, and one for who takes them */
    dl_managed places[]; /* all parts of each */
};

/* ---- forms ---- */

static int64_t elements_of(const pj_form *form) {
    int64_t elements = 1;
    for (int i = 0; i < form->dimensions; i++) elements *= form->shape[i];
    return elements;
}

pj_form pj_form_of(const jr_result_layout *layout, int dimensions, const int64_t *shape, const int *order) {
    pj_form form = {.parts = layout->count, .dimensions = dimensions, .plain = layout->count == 1};
    for (int i = 0; i < dimensions; i++) form.shape[i] = shape[i];
    for (int part = 0; part < form.parts; part++) {
        int64_t step = (int64_t)(layout->bytes / jr_type_size(layout->types[part]));
        form.part[part].type = layout->types[part];
        form.part[part].told = pj_exchange_type_of(layout->types[part]);
        form.part[part].offset = layout->offsets[part];
        for (int i = dimensions - 1; i >= 0; step *= shape[order[i]], i--) form.part[part].strides[order[i]] = step;
    }
    form.bytes = (uint64_t)elements_of(&form) * layout->bytes;
    int64_t natural = 1;
    for (int i = dimensions - 1; i >= 0; natural *= shape[i], i--)
        if (form.part[0].strides[i] != natural) form.plain = false;
    if (layout->bytes != jr_type_size(layout->types[0])) form.plain = false;
    return form;
}

/* ---- places ---- */

static void free_places(pj_places *places) {
    if (Py_IsInitialized()) {
        PyGILState_STATE had = PyGILState_Ensure();
        pj_exchange_release(places->memory);
        PyGILState_Release(had);
    }
    free(places);
}

void pj_places_leave(pj_places *places) {
    if (places && atomic_fetch_sub(&places->users, 1) == 1) free_places(places);
}

static void leave(dl_managed *place) {
    pj_places_leave(place->self);
}

static pj_places *make_places(const pj_form *form, const pj_site *site) {
    const uint64_t step = elements_of(form) == 1 ? ALIGNED_ONE : ALIGNED;
    const uint64_t bytes = (form->bytes + step - 1) / step * step;
    uint64_t count = bytes > SHARED_BYTES_MAX ? 1 : ALL_BYTES_MAX / bytes < PLACES ? ALL_BYTES_MAX / bytes : PLACES;
    pj_places *made = calloc(1, sizeof *made + count * (size_t)form->parts * sizeof *made->places);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    int64_t all = (int64_t)(count * bytes);
    made->memory = pj_exchange_allocate(site->table, JR_U8, site->device, 1, &all);
    made->site = *site;
    made->form = *form;
    made->place_bytes = bytes;
    made->count = (int)count;
    atomic_init(&made->users, 1);
    if (made->memory) return made;
    free(made);
    return NULL;
}

/* Another thread may have left places of another class meanwhile. */
static bool fit(const pj_places *places, const pj_site *site) {
    return places && places->next < places->count && places->site.table == site->table &&
           places->site.stream == site->stream && places->site.device.type == site->device.type &&
           places->site.device.id == site->device.id;
}

static dl_managed part_of(pj_places *from, int part, char *place) {
    const pj_form *form = &from->form;
    return (dl_managed){.version = {DL_MAJOR, DL_MINOR},
                        .self = from,
                        .deleter = leave,
                        .tensor = {.data = place + form->part[part].offset,
                                   .device = from->site.device,
                                   .dimensions = form->dimensions,
                                   .type = form->part[part].told,
                                   .shape = from->form.shape,
                                   .strides = from->form.part[part].strides}};
}

dl_managed *pj_places_take(pj_places **places, const pj_form *form, const pj_site *site) {
    if (!fit(*places, site)) {
        pj_places *made = make_places(form, site);
        if (!made) return NULL;
        pj_places_leave(*places);
        *places = made;
    }
    pj_places *from = *places;
    const dl_tensor *memory = &from->memory->tensor;
    char *place = (char *)memory->data + memory->offset_bytes + (uint64_t)from->next * from->place_bytes;
    dl_managed *first = &from->places[from->next * form->parts];
    for (int part = 0; part < form->parts; part++) first[part] = part_of(from, part, place);
    from->next++;
    atomic_fetch_add(&from->users, form->parts);
    return first;
}
