/* What a parsed module is made of: functions, their decoded instructions, and the slots those work on.
 *
 * A slot is 32 lanes of one value, side by side: uint16_t[32], uint32_t[32], uint64_t[32] or 128-bit [32]; a predicate
 * is one uint32_t, a bit a lane. A module is immutable after jrs_module_link and may be executed by many launches at
 * once. */
#ifndef JRS_PTX_CODE_H
#define JRS_PTX_CODE_H

#include <stdatomic.h>

#include "ptx_arena.h"
#include "ptx_types.h"

enum { JRS_LANES = 32, JRS_SOURCES = 4, JRS_VECTOR_MAX = 8 };
#define JRS_ALL_LANES 0xffffffffu

typedef struct jrs_module jrs_module;
typedef struct jrs_function jrs_function;
typedef struct jrs_warp jrs_warp;
typedef struct jrs_instruction jrs_instruction;

/* What the scheduler does after an instruction. */
typedef enum jrs_next {
    JRS_STEP,  /* go to the next instruction */
    JRS_JUMP,  /* the handler has set the group's pc or changed the groups: choose again */
    JRS_WAIT,  /* the group waits (barrier, missing lanes) */
    JRS_YIELD, /* step, then let others run */
    JRS_FAULT  /* a report was made: the launch ends */
} jrs_next;

/* Executes an instruction for the lanes of mask; mask is not 0. */
typedef jrs_next jrs_handler(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask);

/* Where 32 lanes lie: a base in the top two bits, a byte offset below. */
typedef uint32_t jrs_slot;
enum { JRS_BASE_FRAME, JRS_BASE_CONSTANT, JRS_BASE_SCRATCH, JRS_BASES, JRS_BASE_SHIFT = 30 };
enum { JRS_SCRATCH_BYTES = 4096 };

/* Generic addresses: the top byte is the window; 0 is global memory (host addresses). */
enum { JRS_WINDOW_SHIFT = 56 };
typedef enum jrs_window {
    JRS_WINDOW_GLOBAL,
    JRS_WINDOW_SHARED,
    JRS_WINDOW_LOCAL,
    JRS_WINDOW_PARAMETER,
    JRS_WINDOW_FUNCTION
} jrs_window;

typedef enum jrs_space {
    JRS_SPACE_GENERIC,
    JRS_SPACE_GLOBAL,
    JRS_SPACE_CONST,
    JRS_SPACE_SHARED, /* of the own block */
    JRS_SPACE_LOCAL,
    JRS_SPACE_PARAMETER, /* of a kernel */
    JRS_SPACE_FRAME,     /* .param of a .func or a call: in the frame's local memory, relative to its base */
    JRS_SPACE_CLUSTER    /* shared memory of all blocks of the cluster */
} jrs_space;

/* An address operand: [register + offset], [variable + offset]. */
typedef struct jrs_location {
    jrs_slot slot;
    uint8_t bytes; /* of the address register: 4 or 8 */
    uint8_t space; /* jrs_space */
    int64_t offset;
} jrs_location;

typedef enum jrs_rounding {
    JRS_ROUND_NONE, /* as the form says: nearest even for arithmetic */
    JRS_ROUND_NEAREST,
    JRS_ROUND_ZERO,
    JRS_ROUND_DOWN,
    JRS_ROUND_UP,
    JRS_ROUND_AWAY /* nearest, ties away (.rna) */
} jrs_rounding;

/* ---- what families of instructions have besides their operands ---- */

/* Arithmetic and comparisons. */
typedef struct jrs_arithmetic {
    jrs_handler *inner; /* what adjust, set and the pairs' comparisons surround */
    uint8_t rounding;   /* jrs_rounding */
    bool ftz, sat;
    bool compares;       /* inner's destination is a predicate */
    uint8_t boolean;     /* jrs_boolean: how the predicate s[2] is joined to a comparison */
    uint8_t source_type; /* of set and slct */
} jrs_arithmetic;

/* cvt; the instruction's type is what it converts to. */
typedef struct jrs_conversion {
    uint8_t from;       /* jrs_type */
    uint8_t from_width; /* bytes of a lane of the source's register */
    uint8_t rounding;   /* jrs_rounding */
    bool integral;      /* .rni and the like: to an integral value */
    bool ftz, sat, relu, satfinite;
} jrs_conversion;

/* {a, b, ...} of mov: the other operand has the instruction's width. */
typedef struct jrs_elements {
    const jrs_slot *slots;
    uint8_t count, bytes; /* bytes of each */
} jrs_elements;

/* ld, st, atom, red. */
typedef struct jrs_memory_access {
    jrs_location at;
    const jrs_slot *slots;    /* registers loaded, stored, or added as a vector; of other atomics NULL */
    const jrs_slot *previous; /* of an atomic vector with a destination: what was there before */
    uint8_t count;
    uint8_t bytes; /* of one element in memory; in registers it has the instruction's width */
    bool sign_extended;
} jrs_memory_access;

/* cp.async and mbarrier. */
enum { JRS_PLACES = 3 };
typedef struct jrs_async {
    jrs_location places[JRS_PLACES]; /* the mbarrier alone; or destination, source and mbarrier */
    int32_t kept;                    /* wait_group: how many may stay in flight; negative: none, committed or not */
    uint8_t bytes;                   /* cp.async: of the copy */
    bool ignores;                    /* cp.async: the predicate s[0] says that the source is not read */
    uint8_t flags;                   /* of an mbarrier: JRS_MBARRIER_ */
} jrs_async;

typedef struct jrs_branch {
    uint32_t target;         /* bra */
    uint32_t count;          /* brx.idx */
    const uint32_t *targets; /* brx.idx */
} jrs_branch;

/* Operands are described alike for all; the union's member belongs to the family of `run`. */
struct jrs_instruction {
    jrs_handler *run;
    jrs_slot guard; /* predicate, when guarded */
    bool guarded, guard_negated;
    bool has_d, has_d2; /* there is a destination, and the second one of p|q */
    bool system;        /* strong, and of system scope: orders devices */
    bool strong;        /* an atomic, or an access that orders others (volatile, relaxed, ...) */
    uint8_t operation;  /* which one of its family: JRS_ATOMIC_, JRS_VOTE_, ... */
    uint8_t type;       /* jrs_type: of the destination, or of all */
    uint8_t width;      /* bytes a lane of that type takes in a register */
    uint8_t source_count;
    jrs_slot d, d2;
    jrs_slot s[JRS_SOURCES];
    uint32_t line;
    uint32_t text_bytes;
    const char *text; /* in the module's copy of the PTX */
    union {
        jrs_arithmetic arithmetic;
        jrs_conversion convert;
        jrs_elements elements;
        jrs_memory_access memory;
        jrs_async async;
        jrs_branch branch;
        const struct jrs_call_site *call;
        uint8_t window; /* cvta, isspacep, mapa, getctarank: jrs_window */
        uint8_t table;  /* lop3 */
        int64_t offset; /* of the address of a .local, .param or dynamic .shared variable */
        bool aligned;   /* bar, barrier.aligned */
        bool together;  /* shfl, vote: without .sync */
    };
};

/* A .param of a function: of a kernel in the parameter buffer, of a .func in its frame's local memory. */
typedef struct jrs_parameter {
    uint32_t offset, bytes;
    struct jrs_symbol *symbol; /* while parsing: of a .reg, else NULL */
} jrs_parameter;

/* One call: which bytes of the caller's frame are copied into the callee's, and back. */
typedef struct jrs_call_site {
    jrs_function *callee;                     /* NULL: indirect, the address is in s[0] */
    const jrs_parameter *arguments, *results; /* in the caller's frame */
    uint32_t argument_count, result_count;
} jrs_call_site;

/* A constant slot that needs the address of a global, or an initial value that does. */
typedef struct jrs_relocation {
    struct jrs_relocation *next;
    const struct jrs_global *global; /* whose address */
    uint32_t offset;                 /* in the constants (32 lanes of 8 bytes), or in the initial value */
    uint32_t bytes;                  /* 4 or 8; of an initial value */
    int64_t addend;
} jrs_relocation;

/* A constant slot of a kernel that is the address of one of its .shared variables: in a cluster it says whose. */
typedef struct jrs_shared_constant {
    struct jrs_shared_constant *next;
    jrs_slot slot;
    uint32_t bytes; /* 4 or 8 */
    uint64_t address;
} jrs_shared_constant;

/* A .global or .const variable. */
typedef struct jrs_global {
    struct jrs_global *next;
    const char *name;
    size_t bytes, alignment;
    bool constant;
    const void *initial; /* its first bytes; zeros follow */
    size_t initial_bytes;
    jrs_relocation *relocations;
    uint64_t address; /* 0 until the module's owner gives it a place */
} jrs_global;

/* One mention of a register by an instruction: the raw material of liveness, and of what watches a run. */
typedef struct jrs_mention {
    const char *name;
    uint32_t instruction, id; /* the register's, counted from 0 in its function */
    jrs_slot slot;
    uint8_t bytes; /* of a lane, 0: a predicate */
    bool definition;
} jrs_mention;

struct jrs_function {
    const char *name;
    jrs_module *module;
    jrs_function *next;
    uint32_t index; /* in its module: FUNCTION window addresses */
    bool entry, defined;
    /* Why the simulator cannot execute it, or one that it calls, with line and text; NULL: it can. */
    const char *refusal;
    /* while parsing: */
    struct jrs_called *callers;
    jrs_function *next_refused;
    jrs_instruction *code;
    uint32_t code_count;
    const jrs_mention *mentions;   /* in order of their instructions */
    const uint32_t *mention_begin; /* the first one of an instruction; one more entry closes the last */
    uint32_t frame_bytes;          /* registers of one warp */
    uint8_t *constants;            /* 32 lanes each */
    uint32_t constant_bytes;
    jrs_relocation *relocations;
    jrs_shared_constant *shared_constants;
    jrs_parameter *parameters, *results;
    uint32_t parameter_count, result_count;
    uint32_t parameter_bytes;     /* of a kernel's whole buffer */
    uint32_t local_bytes;         /* .local and .param of the body, of one lane */
    uint32_t shared_bytes;        /* static */
    uint32_t max_threads;         /* the product of .maxntid or .reqntid, else 1024 */
    uint32_t required[3];         /* .reqntid, zeros when absent */
    uint32_t min_blocks;          /* .minnctapersm, 0 when absent */
    uint32_t required_cluster[3]; /* .reqnctapercluster, zeros when absent */
    uint32_t cluster_most;        /* .maxclusterrank, 0 when absent */
    bool explicit_cluster;        /* .explicitcluster: its launch says so, where the text does not */
    bool bounded;                 /* .maxntid or .reqntid was given: registers must let such a block fit */
    uint32_t register_limit;      /* .maxnreg; 0: none */
    uint32_t registers; /* 32-bit ones of a thread: peak of live values, an estimate of what ptxas would take */
    bool calls;         /* calls another function */
    /* While a kernel runs: its compiled code (see native/), and the warp instructions that it has taken so far. */
    _Atomic(struct jrs_native_code *) native;
    _Atomic uint64_t native_steps;
    bool uses_module_shared, uses_reserved; /* .shared variables of the module, shared memory of the system */
};

/* A .loc directive: the source line from which the PTX lines after it were compiled. */
typedef struct jrs_place {
    uint32_t from;                   /* line of the PTX, up to the next place: they are in this order */
    uint32_t file, line;             /* file 0: a function begins, and nothing is known */
    uint32_t outer_file, outer_line; /* where it was inlined; file 0: it was not */
} jrs_place;

/* A .file: its name without folders, in the module's copy of the PTX. */
typedef struct jrs_source_name {
    struct jrs_source_name *next;
    uint32_t number, bytes;
    const char *text;
} jrs_source_name;

typedef struct jrs_sources {
    jrs_place *places;
    uint32_t place_count, place_capacity;
    jrs_source_name *names;
} jrs_sources;

struct jrs_module {
    jrs_arena arena;
    char *text;
    size_t text_bytes;
    int version, target; /* 90 for 9.0, 90 for sm_90 */
    bool exact_target;   /* sm_90a: for that architecture alone */
    jrs_global *globals;
    jrs_function *functions; /* in order of their first declaration */
    jrs_function **function_table;
    uint32_t function_count;
    uint32_t shared_bytes; /* module-scope static .shared */
    uint32_t constant_bytes;
    bool uses_reserved; /* some function does */
    bool uses_heap;     /* some function calls malloc or free */
    jrs_sources sources;
};

#endif
