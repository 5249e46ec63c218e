/* Places for single results in memory of others: many of them are made at once, and each is used once. */
#ifndef PYTHON_PLACES_H
#define PYTHON_PLACES_H

#include "py_exchange.h"

typedef struct pj_places pj_places;

/* Takes device memory for one result on a stream, as a DLPack tensor without dimensions; the caller imports the tensor,
 * or calls its deleter. *places: NULL, or what an earlier call stored there. Returns NULL with an exception on
 * failure. */
dl_managed *pj_places_take(pj_places **places, const dl_exchange *table, jr_type type, dl_device device,
                           jr_stream stream);

/* Makes no more places of these; they are freed when the last one is. places: may be NULL. */
void pj_places_leave(pj_places *places);

#endif
