/* dlopen and dlsym with reasons: what the driver's and NVRTC's tables are filled with. */
#ifndef JR_LOADER_OPEN_LIBRARY_H
#define JR_LOADER_OPEN_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/files.h"

/* One function of a library's list. */
typedef struct jr_symbol_row {
    const char *name;
    size_t offset; /* of the function pointer in the table */
    bool required;
} jr_symbol_row;

/* The row of a table's member, which is REQUIRED or OPTIONAL. */
#define JR_SYMBOL_ROW(need, table, name)                                                                               \
    { #name, offsetof(table, name), JR_SYMBOL_##need }
#define JR_SYMBOL_REQUIRED true
#define JR_SYMBOL_OPTIONAL false

/* Loads a library with flags; a relative path with a '/' is made absolute first, a bare name is searched by the linker.
 * NULL, and the reason in `reason`, when it cannot be loaded. path: receives the real file's path if the linker reports
 * it; unchanged on failure. */
void *jr_library_open(const char *wanted, int flags, char path[JR_PATH_BYTES], char *reason, size_t reason_bytes);

/* Can a library be loaded as far as memory goes? The linker says of one that it only could not map it, and what the
 * library does as soon as it is mapped may end the process. path: of a file; true for one that cannot be looked at, and
 * for one that is loaded already. */
bool jr_library_has_room(const char *path);

/* Fills a table with the functions of the rows; the first required one that is missing, or NULL. */
const char *jr_library_fill(void *library, const jr_symbol_row *rows, size_t count, void *table);

#endif
