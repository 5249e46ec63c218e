/* The surroundings in which libraries are looked for, as values, so that tests can look in made-up ones. */
#ifndef JR_LOADER_PLACES_H
#define JR_LOADER_PLACES_H

#include "base/files.h"
#include "candidates.h"
#include "driver.h"

/* Strings may be NULL: then there is no such place. */
typedef struct jr_places {
    const char *driver, *nvrtc, *simulator; /* values of the settings; "" counts as not set */
    const char *cuda_home, *cuda_path, *virtual_env, *home;
    const char *linker_path;        /* folders, separated by ':' */
    const char *linker_cache;       /* "/etc/ld.so.cache" */
    const char *root;               /* in front of every well-known folder: "" */
    bool loaded;                    /* look among the libraries of this process */
    bool bare_names;                /* let dlopen search for a driver by its name alone */
    char own_folder[JR_PATH_BYTES]; /* where our library or executable lies; "" when unknown */
} jr_places;

/* The places of this process: from the settings, the linker and the well-known folders. */
void jr_places_of_process(jr_places *places);

/* Adds every place for a library; jr_candidates_for_* with the surroundings as an argument. */
void jr_places_driver(const jr_places *places, const char *explicit_path, jr_candidates *list);
void jr_places_simulator(const jr_places *places, const char *explicit_path, jr_candidates *list);

/* jr_driver_open and jr_nvrtc_locate with the surroundings as an argument. */
jr_status jr_places_driver_open(const jr_places *places, const jr_driver_request *request, jr_candidates *findings,
                                jr_driver *driver);
jr_status jr_places_nvrtc_locate(const jr_places *places, const char *path, jr_candidates *findings,
                                 char out[JR_PATH_BYTES]);

/* NVRTC is looked for in stages, so that a search that ends early pays for no more: adds the places of one stage;
 * false when there is no such stage. A wish (explicit_path or the setting) makes stage 0 the only one. */
bool jr_places_nvrtc(const jr_places *places, const char *explicit_path, size_t stage, jr_candidates *list);

#endif
