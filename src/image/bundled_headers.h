/* The headers that NVRTC carries itself, from 13.3 on. */
#ifndef JR_IMAGE_BUNDLED_HEADERS_H
#define JR_IMAGE_BUNDLED_HEADERS_H

#include "compiler.h"
#include "loader/toolkit.h"

/* Has NVRTC write its headers into a folder of the disk cache, once for each build of it, and takes that folder. False:
 * it has none, there is no disk cache, or it fails (which is logged). */
bool jr_bundled_headers_take(jr_compiler *compiler, const char *cache_folder, jr_toolkit *toolkit);

#endif
