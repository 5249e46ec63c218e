/* What the tests of packs share: a folder, a pack for the device under test, contexts that have it and see no NVRTC. */
#ifndef TESTS_SUPPORT_PACK_CASE_H
#define TESTS_SUPPORT_PACK_CASE_H

#include "support/open_context.h"
#include "support/scratch.h"

extern char pack_folder[SCRATCH_BYTES], pack_path[2 * SCRATCH_BYTES];
extern const jr_options pack_hidden; /* no NVRTC is found, nothing is on disk */

/* CMocka's fixtures: *state is an opened. */
int pack_begin(void **state);
int pack_end(void **state);

/* Begins a pack for the device under test; writes it to pack_path and destroys it. */
jr_pack *pack_for(const opened *device);
void pack_write(jr_pack *pack);

/* A context of its own for the same device, which has the pack unless the options say something of packs. */
opened pack_open(const opened *device, jr_options options);

jr_counters pack_counters(const opened *device);
jr_origin pack_origin(const opened *device); /* of its last kernel */

#endif
