/* The packs of a context: which files they are, and which image in them serves its device.
 *
 * Packs only save compiles, so a pack that cannot be used is logged and skipped; it is an error only if the caller's
 * options name the file itself. All functions but opening and closing may be called by many threads at once. */
#ifndef JR_IMAGE_PACKS_H
#define JR_IMAGE_PACKS_H

#include "loader/loader_candidates.h"
#include "pack_file.h"

typedef struct jr_packs jr_packs;

/* Opens the packs that are named for a device of a compute capability (90 for 9.0). requested: files and folders,
 * separated by ':', of a folder all *.jrpack in it; NULL: the setting, else the folder `jitreduce` next to the library;
 * "": none. Errors: JR_ERROR_OUT_OF_MEMORY; those of jr_pack_file_open for a file that it names, and JR_ERROR_FILE
 * for one that is not there. */
jr_status jr_packs_open(const char *requested, int capability, jr_packs **packs);
void jr_packs_close(jr_packs *packs); /* NULL is fine */

/* Are there any that may have images for the device? */
bool jr_packs_any(const jr_packs *packs);

/* Finds the image of a program's text that suits the device best: compiled for it, else for the newest of its
 * generation, else PTX. True: *image is set (the caller frees it), and *path, which the packs own. A damaged image is
 * logged and skipped; the recorded error does not change. */
bool jr_packs_read(jr_packs *packs, const jr_key *text_key, jr_image **image, const char **path);

/* Images that could not be read so far. */
uint64_t jr_packs_failures(const jr_packs *packs);

/* Adds every pack that a context would look at, with what it has or why it is not used. capability 0: of no device. */
void jr_packs_inspect(const char *requested, int capability, jr_candidates *list);

#endif
