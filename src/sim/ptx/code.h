/* What a parsed module is made of: functions, their decoded instructions, and the slots those work on.
 *
 * A slot is 32 lanes of one value, side by side: uint16_t[32], uint32_t[32], uint64_t[32] or 128-bit [32]; a predicate
 * is one uint32_t, a bit a lane. A module is immutable after jrs_module_link and may be executed by many launches at
 * once. */
#ifndef JRS_PTX_CODE_H
#define JRS_PTX_CODE_H

#include "arena.h"
#include "module.h"
#include "types.h"

enum { JRS_LANES = 32, JRS_SOURCES = 4 };
#define JRS_ALL_LANES 0xffffffffu

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

/* Executes an instruction for the lanes of mask, which is never 0 unless the instruction's `always` is set. */
typedef jrs_next jrs_handler(jrs_warp *warp, const jrs_instruction *instruction, uint32_t mask);

/* Where 32 lanes lie: a base in the top two bits, a byte offset below. */
typedef uint32_t jrs_slot;
enum { JRS_BASE_FRAME, JRS_BASE_CONSTANT, JRS_BASE_SCRATCH, JRS_BASES, JRS_BASE_SHIFT = 30 };
enum { JRS_SCRATCH_BYTES = 4096 };

/* Generic addresses: the top byte tells the window, 0 is global memory (host addresses). */
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
    JRS_SPACE_SHARED,
    JRS_SPACE_LOCAL,
    JRS_SPACE_PARAMETER, /* of a kernel */
    JRS_SPACE_FRAME,     /* .param of a .func or a call: in the frame's local memory, relative to its base */
    JRS_SPACE_REGISTER
} jrs_space;

/* An address operand: [register + offset], [variable + offset]. */
typedef struct jrs_location {
    jrs_slot slot;
    uint8_t bytes; /* of the address register: 4 or 8 */
    uint8_t space; /* jrs_space */
    int64_t offset;
} jrs_location;

struct jrs_instruction {
    jrs_handler *run;
    jrs_handler *inner; /* of instructions that adjust another one (.ftz, .sat, rounding, set) */
    jrs_slot guard;     /* predicate, when guarded */
    bool guarded, guard_negated;
    bool always;    /* run even when no lane's guard holds */
    jrs_slot d, d2; /* destination, and the second one of p|q */
    jrs_slot s[JRS_SOURCES];
    const jrs_slot *vector; /* elements of ld, st, mov {} and call arguments */
    uint8_t count;          /* of vector */
    uint8_t source_count;
    uint8_t bytes;          /* of one element in memory */
    uint8_t register_bytes; /* of one element in registers */
    uint8_t address_bytes;  /* width of the address register */
    uint8_t space, window;
    bool sign_extended, strong, has_d2, negated, aligned;
    uint8_t operation, boolean; /* per family: compare, atomic, vote, barrier, ... */
    uint8_t type, source_type;  /* jrs_type */
    uint8_t rounding;           /* jrs_rounding */
    bool ftz, sat, relu, satfinite;
    bool exact_integer;      /* cvt.rni and the like */
    bool predicate_result;   /* a comparison: the destination is no float */
    int64_t immediate;       /* address offset, lop3 table, constant count, ... */
    uint32_t target;         /* of a branch */
    const uint32_t *targets; /* of brx.idx */
    uint32_t target_count;
    const struct jrs_call *call;
    const jrs_location *locations; /* of instructions with several addresses, or none of their own kind */
    uint32_t line;
    const char *text; /* in the module's copy of the PTX */
    uint32_t text_bytes;
};

typedef enum jrs_rounding {
    JRS_ROUND_NONE, /* as the form says: nearest even for arithmetic */
    JRS_ROUND_NEAREST,
    JRS_ROUND_ZERO,
    JRS_ROUND_DOWN,
    JRS_ROUND_UP,
    JRS_ROUND_AWAY /* nearest, ties away (.rna) */
} jrs_rounding;

/* A .param of a function: of a kernel in the parameter buffer, of a .func in its frame's local memory. */
typedef struct jrs_parameter {
    uint32_t offset, bytes;
} jrs_parameter;

/* One call: which bytes of the caller's frame are copied into the callee's, and back. */
typedef struct jrs_call {
    jrs_function *callee;                     /* NULL: indirect, the address is in s[0] */
    const jrs_parameter *arguments, *results; /* in the caller's frame */
    uint32_t argument_count, result_count;
} jrs_call;

/* A constant slot that needs the address of a global, or an initial value that does. */
typedef struct jrs_relocation {
    struct jrs_relocation *next;
    uint32_t offset; /* in the constants (32 lanes of 8 bytes), or in the initial value */
    uint32_t global; /* whose address */
    uint32_t bytes;  /* 4 or 8; of an initial value */
    int64_t addend;
} jrs_relocation;

struct jrs_function {
    const char *name;
    jrs_module *module;
    jrs_function *next;
    uint32_t index; /* in its module: FUNCTION window addresses */
    bool entry, defined;
    jrs_instruction *code;
    uint32_t code_count;
    uint32_t frame_bytes; /* registers of one warp */
    uint8_t *constants;   /* 32 lanes each */
    uint32_t constant_bytes;
    jrs_relocation *relocations;
    jrs_parameter *parameters, *results;
    uint32_t parameter_count, result_count, parameter_bytes;
    uint32_t local_bytes;  /* .local and .param of the body, of one lane */
    uint32_t shared_bytes; /* static */
    uint32_t max_threads, required[3], min_blocks;
    bool bounded;            /* .maxntid or .reqntid was given: registers must let such a block fit */
    uint32_t register_limit; /* .maxnreg; 0: none */
    uint32_t registers;
    bool calls; /* calls another function */
    bool uses_module_shared;
};

typedef struct jrs_global_entry {
    jrs_global global;
    jrs_relocation *relocations;
    struct jrs_global_entry *next;
    uint32_t index;
} jrs_global_entry;

struct jrs_module {
    jrs_arena arena;
    char *text;
    size_t text_bytes;
    int version, target;
    bool exact_target; /* sm_90a: for that architecture alone */
    jrs_global_entry *globals;
    jrs_global_entry **global_table;
    uint32_t global_count;
    jrs_function *functions; /* in order of their first declaration */
    jrs_function **function_table;
    uint32_t function_count;
    uint32_t shared_bytes; /* module-scope static .shared */
    uint32_t constant_bytes;
};

#endif
