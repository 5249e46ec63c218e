/* Places for results: to make an array costs a class of arrays as much as the rest of a call, so that one array has the
 * places of many small results. Each place is used once: no result is written where another one was. */
#include "py_places.h"

#include <stdatomic.h>
#include <stdlib.h>

/* A place that is kept keeps all of them: those of larger results are fewer, and four of the largest; and calls that
 * come again have more at once. Results of more than ALL_BYTES_MAX have one place, and four when the call comes again.
 */
enum { PLACES = 64, MORE_EACH_TIME = 4, ALL_BYTES_MAX = 64 << 10, ALIGNED_ONE = 16, ALIGNED = 256 };

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

/* After all else. */
static void add_number(pj_form *form) {
    const int part = form->parts++;
    form->part[part].type = JR_I64;
    form->part[part].told = pj_exchange_type_of(JR_I64);
    form->part[part].offset = (form->bytes + ALIGNED_ONE - 1) / ALIGNED_ONE * ALIGNED_ONE;
    form->part[part].strides[0] = 1;
    form->bytes = form->part[part].offset + sizeof(int64_t);
}

pj_form pj_form_of_runs(const jr_result_layout *layout, jr_type key_type, int64_t elements, bool numbered) {
    const int order = 0;
    pj_form results = pj_form_of(layout, 1, &elements, &order), form = results;
    const uint64_t key_bytes = (uint64_t)elements * jr_type_size(key_type);
    const uint64_t begin = (key_bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
    form.part[0].type = key_type;
    form.part[0].told = pj_exchange_type_of(key_type);
    form.part[0].offset = 0;
    form.part[0].strides[0] = 1;
    for (int i = 0; i < results.parts; i++) {
        form.part[i + 1] = results.part[i];
        form.part[i + 1].offset += begin;
    }
    form.parts = results.parts + 1;
    form.plain = false;
    form.bytes = begin + results.bytes;
    if (numbered) add_number(&form);
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

uint64_t pj_places_step(const pj_form *form) {
    const uint64_t aligned = elements_of(form) == 1 ? ALIGNED_ONE : ALIGNED;
    return (form->bytes + aligned - 1) / aligned * aligned;
}

/* Single results have all places at once; others have more each time, where calls come again and again on one stream.
 */
int pj_places_count(const pj_form *form, int used) {
    if (form->bytes > ALL_BYTES_MAX) return used > 0 ? MORE_EACH_TIME : 1;
    const int wanted = elements_of(form) == 1 ? PLACES : used > 0 ? used * MORE_EACH_TIME : MORE_EACH_TIME;
    const uint64_t most = ALL_BYTES_MAX / pj_places_step(form);
    const int count = wanted < PLACES ? wanted : PLACES;
    return most > (uint64_t)count ? count : most > MORE_EACH_TIME ? (int)most : MORE_EACH_TIME;
}

static pj_places *make_places(const pj_form *form, const pj_site *site, int count) {
    const uint64_t bytes = pj_places_step(form);
    pj_places *made = calloc(1, sizeof *made + (size_t)count * (size_t)form->parts * sizeof *made->places);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    int64_t all = (int64_t)((uint64_t)count * bytes);
    made->memory = pj_exchange_allocate(site->table, JR_U8, site->device, 1, &all);
    made->site = *site;
    made->form = *form;
    made->place_bytes = bytes;
    made->count = count;
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

static dl_managed *take(pj_places *from) {
    const dl_tensor *memory = &from->memory->tensor;
    const int parts = from->form.parts;
    char *place = (char *)memory->data + memory->offset_bytes + (uint64_t)from->next * from->place_bytes;
    dl_managed *first = &from->places[from->next * parts];
    for (int part = 0; part < parts; part++) first[part] = part_of(from, part, place);
    from->next++;
    atomic_fetch_add(&from->users, parts);
    return first;
}

dl_managed *pj_places_take_alone(const pj_form *form, const pj_site *site) {
    pj_places *made = make_places(form, site, 1);
    dl_managed *first = made ? take(made) : NULL;
    pj_places_leave(made);
    return first;
}

dl_managed *pj_places_take(pj_places **places, const pj_form *form, const pj_site *site) {
    if (form->bytes > PJ_SHARED_BYTES_MAX) return pj_places_take_alone(form, site);
    if (!fit(*places, site)) {
        const int used = *places && (*places)->next == (*places)->count ? (*places)->count : 0;
        pj_places *made = make_places(form, site, pj_places_count(form, used));
        if (!made) return NULL;
        pj_places_leave(*places);
        *places = made;
    }
    return take(*places);
}

void pj_places_shorten(dl_managed *first, int64_t length) {
    ((pj_places *)first->self)->form.shape[0] = length;
}

void pj_places_scalar(dl_managed *taken) {
    taken->tensor.dimensions = 0;
}
