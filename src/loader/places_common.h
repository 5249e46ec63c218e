/* Pieces of a search that places.c and places_nvrtc.c share. */
#ifndef JR_LOADER_PLACES_COMMON_H
#define JR_LOADER_PLACES_COMMON_H

#include "base/settings.h"
#include "base/text.h"
#include "linker_cache.h"
#include "places.h"

/* Adds what was asked for, by option or by setting, as the only candidate; false when nothing was.
 * list NULL: only tells. */
bool jr_places_wish(jr_candidates *list, const char *explicit_path, const char *value, jr_setting setting);

/* Adds a path, free of links where it exists, unless the list has it already. */
void jr_places_add_once(jr_candidates *list, const char *origin, const char *path);

/* Adds the libraries of this process whose file is called name, or name and a version. */
void jr_places_add_loaded(const jr_places *places, const char *name, jr_candidates *list);

/* The part of a path after its last '/'. */
const char *jr_places_base_name(const char *path);

/* The numbers of a version in a path's last part, from its first digit on ("libnvrtc.so.13.0" and "cuda-13.0": 13, 0);
 * -1 for those that are not there. */
enum { JR_PLACES_VERSION_PARTS = 4 };
void jr_places_version(const char *path, long version[JR_PLACES_VERSION_PARTS]);

/* Appends a path to a glob pattern with glob's special characters made ordinary. */
void jr_places_append_literal(jr_text *pattern, const char *path);

/* Visits the folders of LD_LIBRARY_PATH. */
void jr_places_each_linker_folder(const jr_places *places, void (*visit)(void *user, const char *folder), void *user);

#endif
