/* Where a library's next large mapping goes. Linux puts a mapping into the highest gap that it fits; so for a moment
 * all higher gaps are taken, but for some room that small mappings of other threads find. Nothing depends on it: where
 * it cannot be done (a limit on the address space, something at the place), the mapping goes where it would have gone.
 */
#ifndef JR_LOADER_MAP_PLACE_H
#define JR_LOADER_MAP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Mappings below this size are not steered: room for so much is left free in each gap. */
enum { JR_MAP_PLACE_LEAST_BYTES = 64 << 20 };

/* Calls map(user), whose mapping of JR_MAP_PLACE_LEAST_BYTES or more should lie between `begin` and `begin + bytes`.
 * False: something else is there, or address space is limited; map was not called. */
bool jr_map_place_run(uintptr_t begin, size_t bytes, void (*map)(void *user), void *user);

/* Chooses a place at random, a multiple of 2 MiB, with room for a gigabyte: below where Linux puts mappings of itself,
 * and where sanitizers let programs have memory. 0: there is no randomness. */
uintptr_t jr_map_place_choose(void);

/* Where the first writable private mapping of at least `least` bytes between `begin` and `begin + bytes` begins; 0:
 * nowhere. */
uintptr_t jr_map_place_find(uintptr_t begin, size_t bytes, size_t least);

#endif
