/* What a module shows of itself to the rooms that use it: names, and variables. */
#ifndef JRS_PTX_GLOBAL_H
#define JRS_PTX_GLOBAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrs_module jrs_module;
typedef struct jrs_function jrs_function;

/* One .global or .const variable of a module, with its own storage in memory->ranges given by the caller. */
typedef struct jrs_global {
    const char *name;
    size_t bytes, alignment;
    bool constant;
    const void *initial; /* its first bytes, zeros follow; NULL: zeros alone */
    uint64_t address;    /* filled in by the driver through jrs_module_place before the first launch */
} jrs_global;

#endif
