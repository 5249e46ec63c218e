/* The surroundings in which libraries are looked for, as values, so that tests can look in made-up ones. */
#ifndef JR_LOADER_PLACES_H
#define JR_LOADER_PLACES_H

#include <glob.h>

#include "base/files.h"
#include "base/settings.h"
#include "linker_cache.h"
#include "loader_candidates.h"

/* Strings may be NULL: then there is no such place. */
typedef struct jr_places {
    const char *driver, *nvrtc, *simulator; /* values of the settings; "" counts as not set */
    const char *cuda_home, *cuda_path, *virtual_env, *conda_prefix, *home;
    const char *linker_path;        /* folders, separated by ':' */
    const char *linker_cache;       /* "/etc/ld.so.cache" */
    const char *root;               /* prefix of every well-known folder: "" */
    bool loaded;                    /* look among the libraries of this process */
    bool bare_names;                /* let dlopen search for a driver by its name alone */
    char own_folder[JR_PATH_BYTES]; /* where our library or executable lies; "" when unknown */
} jr_places;

/* The places of this process: from the settings, the linker and the well-known folders. */
void jr_places_of_process(jr_places *places);

/* The folder in which our library or executable lies; "" when unknown. */
void jr_places_own_folder(char out[JR_PATH_BYTES]);

/* Adds every place for a library. explicit_path: from options, may be NULL; it is a wish, as is a setting, and then the
 * only one: a wish that cannot be met is an error, never silently replaced. True when there was a wish. */
bool jr_places_driver(const jr_places *places, const char *explicit_path, jr_candidates *list);
bool jr_places_simulator(const jr_places *places, const char *explicit_path, jr_candidates *list);

/* NVRTC is looked for in stages, so that a search that ends early pays for no more: adds the wish, true when there was
 * one; else the places of one stage, false when there is no such stage. */
bool jr_places_nvrtc_wish(const jr_places *places, const char *explicit_path, jr_candidates *list);
bool jr_places_nvrtc(const jr_places *places, size_t stage, jr_candidates *list);

/* Pieces of a search, of which places_nvrtc.c makes its own. */

/* Adds what was asked for, by option or by setting; false when nothing was. */
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

/* Lists the paths that match the literal text `folder` followed by a pattern; false when out of memory. The caller
 * calls globfree on found in any case. */
bool jr_places_glob(const char *folder, const char *pattern, glob_t *found);

/* Visits the folders of LD_LIBRARY_PATH. */
void jr_places_each_linker_folder(const jr_places *places, void (*visit)(void *user, const char *folder), void *user);

#endif
