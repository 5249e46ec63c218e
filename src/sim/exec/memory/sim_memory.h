/* Memory: every block that kernels and copies of any device may touch, by address; the driver allocates, a launch looks
 * up.
 *
 * A device address is the host address of the block itself. Blocks are 256-byte aligned; the gap on each side of a
 * block is as long as the block, at least JRS_GAP_MIN and at most JRS_GAP_MAX bytes, so that an access that leaves
 * an array seldom meets another one. A freed block stays listed for a while (its address is not used again; a large
 * block gives its pages back), so that an access through a stale pointer is reported as use after free. The first
 * JRS_PATTERN_BYTES of a new device block are filled with JRS_PATTERN_BYTE: memory that nobody wrote should not look
 * like zeros. The rest consists of zero pages, which take no memory until touched. */
#ifndef JRS_MEMORY_MEMORY_H
#define JRS_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct jrs_memory jrs_memory;

enum {
    JRS_PATTERN_BYTE = 0xCD,
    JRS_PATTERN_BYTES = 4 << 20,
    JRS_DEVICES = 16,            /* most devices */
    JRS_QUARANTINE_BLOCKS = 1024 /* freed blocks that stay listed; small ones keep their pages: 64 MiB at most */
};

typedef enum jrs_memory_kind {
    JRS_MEMORY_DEVICE,     /* cuMemAlloc */
    JRS_MEMORY_GLOBAL,     /* a module's variable */
    JRS_MEMORY_HOST,       /* cuMemHostAlloc */
    JRS_MEMORY_REGISTERED, /* cuMemHostRegister: the application's own pages */
    JRS_MEMORY_HEAP,       /* of malloc in kernels: the host cannot reach it */
    JRS_MEMORY_KIND_COUNT
} jrs_memory_kind;

/* The host's own side of the two. */
static inline bool jrs_memory_is_host(jrs_memory_kind kind) {
    return kind == JRS_MEMORY_HOST || kind == JRS_MEMORY_REGISTERED;
}

/* Who a block belongs to: it goes with the context. */
typedef struct jrs_owner {
    uint64_t context; /* the serial of its life */
    unsigned device;
} jrs_owner;

/* What is wanted. Device memory and globals count against the limit of their device. */
typedef struct jrs_block_request {
    jrs_memory_kind kind;
    size_t bytes;
    size_t alignment; /* 0: JRS_MEMORY_ALIGNMENT; else a power of two */
    jrs_owner owner;
    bool read_only;
    const char *what;            /* copied; NULL: the kind's own words */
    const struct jrs_heap *heap; /* of JRS_MEMORY_HEAP */
} jrs_block_request;

/* A live block, as cuPointerGetAttribute wants to know it. */
typedef struct jrs_memory_block {
    jrs_memory_kind kind;
    uint64_t begin, end;
    jrs_owner owner;
} jrs_memory_block;

/* NULL when the host is out of memory. The limit is each device's. */
jrs_memory *jrs_memory_create(uint64_t limit_bytes);
/* Unmaps everything, live blocks too. Nobody may hold an address any more. */
void jrs_memory_destroy(jrs_memory *memory);

/* Both return a CUresult number: 0, 1 (zero bytes), 2 (over the limit, or the host has none), 712 (already listed). */
int jrs_memory_allocate(jrs_memory *memory, const jrs_block_request *request, uint64_t *address);
int jrs_memory_register(jrs_memory *memory, uint64_t address, size_t bytes, jrs_owner owner);

/* Frees the live block of this kind that begins at address; false when no such block does. No kernel that can touch the
 * block may run: the driver holds the queues of those devices until this returns. */
bool jrs_memory_release(jrs_memory *memory, jrs_memory_kind kind, uint64_t address);
/* Frees everything that a context owns. */
void jrs_memory_release_owned(jrs_memory *memory, uint64_t context);

/* The live block that holds address and that the host may know of; false when none does. */
bool jrs_memory_block_at(const jrs_memory *memory, uint64_t address, jrs_memory_block *block);
/* Whether [address, address + bytes) lies within one live block. */
bool jrs_memory_holds(const jrs_memory *memory, uint64_t address, size_t bytes);
/* Why jrs_memory_holds says no: "0x7f.. is 4 bytes past the end of device allocation [0x.., 0x..)". */
void jrs_memory_explain(const jrs_memory *memory, uint64_t address, size_t bytes, char *reason, size_t reason_bytes);

typedef struct jrs_memory_totals {
    uint64_t limit_bytes;               /* of a device */
    uint64_t used_bytes[JRS_DEVICES];   /* of each */
    size_t live[JRS_MEMORY_KIND_COUNT]; /* blocks of all */
} jrs_memory_totals;
void jrs_memory_count(const jrs_memory *memory, jrs_memory_totals *totals);

/* ---- what a launch asks ---- */

/* One block of memory that a kernel may touch; a freed block stays listed for a while, so that use after free can be
 * reported. */
typedef struct jrs_range {
    uint64_t begin, end; /* [begin, end) */
    bool freed;
    bool read_only; /* a __constant__ variable */
    bool host;      /* every device sees it; else permission is needed, but for the owner's device */
    bool watched;   /* of a worker's copy: see watch.h */
    jrs_owner owner;
    const char *what;            /* "device allocation", "mapped host memory", "module global counter" */
    const struct jrs_heap *heap; /* which knows what of it may be touched; NULL: all of it */
} jrs_range;

/* Finds the range that contains address, or else the nearest one below it (for messages such as "12 bytes past the end
 * of"); false when no range begins at or below address. Several threads may call it at the same time; while a kernel
 * runs, ranges change only by new allocations. *range is a copy: the caller may keep it as a per-thread cache until
 * jrs_memory_version changes. */
bool jrs_memory_find(const jrs_memory *memory, uint64_t address, jrs_range *range);
/* Finds the nearest range that begins above address, on the same terms. */
bool jrs_memory_find_above(const jrs_memory *memory, uint64_t address, jrs_range *range);

/* True if address is memory of this process, but not of any range, nor near one: an array of the application, say. */
bool jrs_memory_is_application(const jrs_memory *memory, uint64_t address);

/* Changes whenever a range is added, freed or removed: cached ranges of an older version must be dropped. Atomic read.
 */
uint64_t jrs_memory_version(const jrs_memory *memory);
/* Changes the version: who may touch what is another matter now. */
void jrs_memory_change(jrs_memory *memory);

#endif
