/* Places for single results: to make an array costs a class of arrays as much as the rest of a call, so that one array
 * has the places of many results. Each place is used once: no result is written where another one was. */
#include "py_places.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { PLACES = 64, PLACE_BYTES = 16 };

struct pj_places {
    dl_managed *memory;
    const dl_exchange *table; /* of the class that made it */
    jr_type type;
    dl_type told;     /* the same, as DLPack has it */
    jr_stream stream; /* on which it was made */
    int next;
    atomic_int users; /* places that are used, and one for who takes them */
    dl_managed places[PLACES];
};

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

static pj_places *make_places(const dl_exchange *table, jr_type type, dl_device device, jr_stream stream) {
    int64_t elements = PLACES * PLACE_BYTES / (int64_t)jr_type_size(type);
    pj_places *made = calloc(1, sizeof *made);
    if (!made) {
        PyErr_NoMemory();
        return NULL;
    }
    made->memory = pj_exchange_allocate(table, type, device, 1, &elements);
    made->table = table;
    made->type = type;
    made->told = pj_exchange_type_of(type);
    made->stream = stream;
    atomic_init(&made->users, 1);
    if (made->memory) return made;
    free(made);
    return NULL;
}

/* Another thread may have left places of another kind meanwhile. */
static bool fit(const pj_places *places, const dl_exchange *table, jr_type type, dl_device device, jr_stream stream) {
    return places && places->next < PLACES && places->table == table && places->type == type &&
           places->stream == stream && places->memory->tensor.device.type == device.type &&
           places->memory->tensor.device.id == device.id;
}

dl_managed *pj_places_take(pj_places **places, const dl_exchange *table, jr_type type, dl_device device,
                           jr_stream stream) {
    if (!fit(*places, table, type, device, stream)) {
        pj_places *made = make_places(table, type, device, stream);
        if (!made) return NULL;
        pj_places_leave(*places);
        *places = made;
    }
    pj_places *from = *places;
    const dl_tensor *memory = &from->memory->tensor;
    dl_managed *place = &from->places[from->next];
    *place = (dl_managed){.version = {DL_MAJOR, DL_MINOR},
                          .self = from,
                          .deleter = leave,
                          .tensor = {.data = (char *)memory->data + memory->offset_bytes + from->next * PLACE_BYTES,
                                     .device = device,
                                     .type = from->told}};
    from->next++;
    atomic_fetch_add(&from->users, 1);
    return place;
}
