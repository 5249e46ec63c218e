/* The machine: parses PTX into modules and executes their kernels on CPU threads.
 *
 * The driver half of the simulator (streams, contexts, API) stands on this header; the executing half implements it.
 * A device address of global memory is the host address of the simulated memory itself. Shared and local memory have
 * generic addresses in windows far outside anything the host maps. */
#ifndef JRS_MACHINE_H
#define JRS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- memory: which global addresses exist (memory.c, owned by the driver half) ---- */

typedef struct jrs_memory jrs_memory;

/* One block of memory a kernel may touch; freed ones stay listed for a while so that use after free can be told. */
typedef struct jrs_range {
    uint64_t begin, end; /* [begin, end) */
    bool freed;
    bool read_only;   /* a __constant__ variable */
    const char *what; /* "device allocation", "mapped host memory", "module global counter" */
} jrs_range;

/* Finds the range that holds address, or the nearest one below it (to say "12 bytes past the end of"); false when
 * there is none at all. Thread-safe against other finds; ranges do not change while a kernel runs except through
 * allocation of new ones. The copy out is by value: keep it as a per-thread cache keyed by jrs_memory_version. */
bool jrs_memory_find(const jrs_memory *memory, uint64_t address, jrs_range *range);

/* Changes whenever a range is added, freed or removed: cached ranges of an older version must be dropped. Atomic read.
 */
uint64_t jrs_memory_version(const jrs_memory *memory);

/* ---- modules ---- */

enum { JRS_MESSAGE_BYTES = 2048 };

/* Why something failed, ready for a driver log. */
typedef struct jrs_report {
    int error;                       /* CUresult number: 1, 218 (invalid PTX), 700, 716, 719, 702, ... */
    char message[JRS_MESSAGE_BYTES]; /* "out of bounds: kernel k, PTX line 41 'ld.global.f32 ...', block (3,0,0),
                                      * thread (17,0,0), address 0x...: 4 bytes past the end of ..." */
} jrs_report;

typedef struct jrs_module jrs_module;
typedef struct jrs_function jrs_function;

/* One .global or .const variable of a module, with its own storage in memory->ranges given by the caller. */
typedef struct jrs_global {
    const char *name;
    size_t bytes, alignment;
    bool constant;
    const void *initial; /* bytes long; NULL: zeros */
    uint64_t address;    /* filled in by the driver half through jrs_module_place before the first launch */
} jrs_global;

/* Parses and decodes PTX text (need not be NUL-terminated at length). NULL and a report on a syntax error or an
 * unsupported instruction: the message has the line number and the instruction's text. */
jrs_module *jrs_module_parse(const char *ptx, size_t length, jrs_report *report);
void jrs_module_destroy(jrs_module *module);

size_t jrs_module_global_count(const jrs_module *module);
const jrs_global *jrs_module_global(const jrs_module *module, size_t index);
/* Says where global `index` lies. All globals must be placed before the first launch. Initial values that are
 * addresses of other globals are patched by jrs_module_link, which writes every initial value into its place. */
void jrs_module_place(jrs_module *module, size_t index, uint64_t address);
bool jrs_module_link(jrs_module *module, jrs_report *report);

/* A kernel (.entry) by name, NULL when there is none. Owned by the module. */
jrs_function *jrs_module_function(const jrs_module *module, const char *name);

/* What cuFuncGetAttribute and occupancy need. */
typedef struct jrs_function_info {
    const char *name;
    int registers;    /* 32-bit registers a thread: peak of live values, an estimate of what ptxas would take */
    int shared_bytes; /* static */
    int local_bytes;
    int constant_bytes;      /* of the module */
    int max_threads;         /* .maxntid product or 1024 */
    int required_threads[3]; /* .reqntid, zeros when absent */
    int min_blocks;          /* .minnctapersm, 0 when absent */
    int ptx_version;         /* 90 for 9.0 */
    int target;              /* 90 for sm_90 */
    size_t parameter_count;
} jrs_function_info;
void jrs_function_describe(const jrs_function *function, jrs_function_info *info);

/* Offset and size of parameter `index` in the parameter buffer; false when there is no such parameter. */
bool jrs_function_parameter(const jrs_function *function, size_t index, size_t *offset, size_t *bytes);
size_t jrs_function_parameter_bytes(const jrs_function *function); /* of the whole buffer */

/* ---- execution ---- */

typedef struct jrs_launch {
    const jrs_function *function;
    unsigned grid[3], block[3];
    unsigned shared_bytes;  /* dynamic */
    const void *parameters; /* jrs_function_parameter_bytes long, already copied */
    const jrs_memory *memory;
    unsigned resident_blocks; /* blocks that are resident at the same time on the whole device: from occupancy */
    unsigned multiprocessors; /* for %smid, %nsmid */
    unsigned threads;         /* CPU threads to use */
    uint64_t seed;            /* 0: warps in order; else shuffles the order of warps and blocks */
    bool dependent;           /* global memory may be touched only after griddepcontrol.wait */
    uint64_t step_limit;      /* 0: none; else warp instructions without progress (no store that changes memory, no
                               * block finished, no barrier passed) after which the launch fails with 702 and its place */
    void (*print)(void *user, const char *text, size_t length); /* printf output, in whole calls; NULL: stdout */
    void *user;
} jrs_launch;

/* Runs a kernel to its end on `threads` CPU threads, the caller's among them. False and a report when a thread
 * faulted; memory written up to then stays written. Reentrant. */
bool jrs_execute(const jrs_launch *launch, jrs_report *report);

#endif
