/* NVRTC's function table. Locating it is separate from opening it: opening maps 100 MB and costs milliseconds, which a
 * process that finds everything in the disk cache never needs to pay. */
#ifndef JR_LOADER_NVRTC_H
#define JR_LOADER_NVRTC_H

#include "base/files.h"
#include "jitreduce/status.h"
#include "nvrtc_abi.h"
#include "places.h"

enum { JR_NVRTC_ARCHITECTURES_MAX = 64 };

/* What is known of an NVRTC file once it was opened. */
typedef struct jr_nvrtc_about {
    char path[JR_PATH_BYTES];
    int major, minor;
    char build[64]; /* build identity: "13.0.88" from the file name, else the ELF build id in hex */
    int architectures[JR_NVRTC_ARCHITECTURES_MAX]; /* ascending: 75, 80, ... */
    int architecture_count;
} jr_nvrtc_about;

typedef struct jr_nvrtc {
    void *library;
    void *builtins; /* preloaded libnvrtc-builtins; NULL: none was found next to it, or it could not be loaded */
    char builtins_missing[256]; /* the linker's words, where a library that the builtins need is not there; else "" */
    jr_nvrtc_about about;
#define JR_NVRTC_FIELD(need, type, name, parameters) type(*name) parameters;
    JR_NVRTC_FUNCTIONS(JR_NVRTC_FIELD)
#undef JR_NVRTC_FIELD
} jr_nvrtc;

/* Finds the file that jr_nvrtc_open would open, without opening it: the first candidate that is a file with NVRTC's
 * ELF identity. places: where to look; NULL: those of this process. path: from options, may be NULL. Writes the
 * absolute, link-free path.
 * Errors: JR_ERROR_NVRTC_NOT_FOUND with every candidate and its reason. */
jr_status jr_nvrtc_locate(const jr_places *places, const char *path, jr_candidates *findings, char out[JR_PATH_BYTES]);

/* Opens NVRTC from the path that locate gave; preloads its builtins by absolute path; reads version and architectures.
 * Errors: JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_MISSING_FUNCTION, JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_nvrtc_open(const char *path, jr_nvrtc *nvrtc);
void jr_nvrtc_close(jr_nvrtc *nvrtc);

/* The builtins library that belongs to an NVRTC file of a version: same folder, same version. False: no such file
 * exists. */
bool jr_nvrtc_builtins_find(const char *nvrtc_path, int major, int minor, char out[JR_PATH_BYTES]);

#endif
