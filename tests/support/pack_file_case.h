/* What the tests of pack files share: a folder, a kept log, and packs of sample images. */
#ifndef TESTS_SUPPORT_PACK_FILE_CASE_H
#define TESTS_SUPPORT_PACK_FILE_CASE_H

#include <stdbool.h>

#include "image/pack_write.h"
#include "image/packs.h"
#include "support/scratch.h"

enum { PACK_FILE_IMAGES = 5, PACK_FILE_ARCHITECTURES = 5 };

extern const char *const pack_file_architectures[PACK_FILE_ARCHITECTURES]; /* compute_80 sm_80 sm_86 sm_90 sm_90a */
extern char pack_file_folder[SCRATCH_BYTES];
extern char pack_file_log[8192]; /* what was logged, a line each */

int pack_file_begin(void **state);
int pack_file_end(void **state);

/* Writes a pack of images 1 to PACK_FILE_IMAGES for each of some architectures; its path is valid until the next one.
 */
const char *pack_file_of(const char *name, const char *const *names, uint32_t count, bool plain);

jr_packs *pack_file_opened(const char *wish, int capability);

/* The architecture of the image that is found; "" when there is none. */
const char *pack_file_found(jr_packs *packs, int number);

/* Opening fails so for a device of capability 9.0. */
void pack_file_refused(const char *path, jr_status status, const char *why);

#endif
