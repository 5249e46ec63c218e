/* Lines of the source that PTX was made of, where it says so: NVRTC does with --generate-line-info. */
#ifndef JRS_PTX_SOURCE_H
#define JRS_PTX_SOURCE_H

#include "parser.h"

enum { JRS_SOURCE_BYTES = 512 };

/* Behind ".loc" and ".file": keep what the rest of the line says, and leave it where it is. */
void jrs_source_loc(jrs_parser *parser);
void jrs_source_file(jrs_parser *parser);
/* A function begins: what was said before does not hold for it. */
void jrs_source_end(jrs_parser *parser);

/* Writes where a line of the module's PTX comes from: "saxpy.cu:12, PTX line 41", "add.cuh:3 inlined at saxpy.cu:12,
 * PTX line 41", or "PTX line 41" where it does not say. Returns out. */
const char *jrs_source_line(const jrs_module *module, uint32_t ptx_line, char out[JRS_SOURCE_BYTES]);

#endif
