/* Where the CUDA toolkit's headers lie. */
#ifndef JR_LOADER_TOOLKIT_H
#define JR_LOADER_TOOLKIT_H

#include "places.h"

/* The folders of one set of headers: CUDA's own, and CCCL's (cub, thrust, cuda/std) where they have one for themselves.
 */
enum { JR_TOOLKIT_FOLDERS_MAX = 3 };
typedef struct jr_toolkit {
    char paths[JR_TOOLKIT_FOLDERS_MAX][JR_PATH_BYTES];
    size_t count;
} jr_toolkit;

/* Takes a folder for CUDA's headers if cuda_fp16.h lies there, and adds CCCL's that belong to it. */
bool jr_toolkit_take(const char *folder, jr_toolkit *toolkit);

/* Find headers, in two steps between which a caller may search elsewhere: first named places (next to an NVRTC file,
 * whose version the headers then have; CUDA_HOME and CUDA_PATH), then well-known places (/usr/local/cuda, /opt/cuda,
 * /usr/include). False: not found. */
bool jr_toolkit_named(const jr_places *places, const char *nvrtc_path, jr_toolkit *toolkit);
bool jr_toolkit_known(const jr_places *places, jr_toolkit *toolkit);

#endif
