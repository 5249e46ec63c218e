/* Tier 1: one call, host memory in, one value out. */
#ifndef JITREDUCE_REDUCE_H
#define JITREDUCE_REDUCE_H

#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where the block keeps the values that its threads combine. */
typedef enum jr_shared { JR_SHARED_AUTO = 0, JR_SHARED_STATIC = 1, JR_SHARED_DYNAMIC = 2 } jr_shared;

/* What NaN means to an operator. */
typedef enum jr_nan {
    JR_NAN_PROPAGATE = 0, /* a NaN makes the result NaN (argmin, argmax: is the extremum) */
    JR_NAN_IGNORE = 1     /* NaNs are left out: of NaNs alone an operator gives what an empty input gives. But min, max,
                           * argmin and argmax are given NaNs, and prefer any number: min and max of NaNs alone are NaN,
                           * argmin and argmax the first one, alike alone and in a list */
} jr_nan;

/* How right a result is that was rounded. */
typedef enum jr_accuracy {
    JR_ACCURACY_FAST = 0,  /* as the algorithm adds: other tunings may give other last bits */
    JR_ACCURACY_EXACT = 1, /* the result of exact arithmetic, rounded once, to nearest, ties to even: the same bits by
                            * every algorithm, tuning and device */
    JR_ACCURACY_REPRODUCIBLE = 2 /* rounded as in one fixed tree, whose shape the count alone decides: the same bits by
                                  * every algorithm that takes it, tuning, address and device. Since: 0.2 */
} jr_accuracy;

/* An element type of the caller's, as source text. The text is trusted: it may hold functions for expressions, too. */
typedef struct jr_structure {
    size_t size;        /* sizeof(jr_structure) */
    const char *name;   /* "pair" */
    const char *source; /* "struct pair { float key; int id; };" */
    size_t bytes;       /* sizeof, 1 to JR_STRUCT_BYTES_MAX; checked when the kernel is compiled */
    size_t alignment;   /* 1, 2, 4, 8 or 16 */
} jr_structure;

/* A named number of expressions. Its type is compiled in (i32 u32 i64 u64 f32 f64); its value is passed at each run.
 * Keeps its layout in all versions. */
typedef struct jr_parameter {
    const char *name; /* an identifier of at most 31 characters */
    jr_value value;
} jr_parameter;

enum { JR_INPUTS_MAX = 4, JR_OPS_MAX = 8, JR_PARAMETERS_MAX = 16 };

/* How far a spec's tuning goes. */
#define JR_UNROLL_MAX                    16
#define JR_BLOCK_STEP                    32 /* a block has a multiple of it */
#define JR_BLOCK_MAX                     1024
#define JR_GRID_MAX                      65535
#define JR_BLOCKS_PER_MULTIPROCESSOR_MAX 64

/* Expressions.
 *
 * An expression is C for one value, on one line, without braces, semicolons, literals of text, assignments, pointers
 * and indices. It may name
 * - its variables. Of map and where: x, y, z, w (the elements) and i (the index); of combine: a and b; of finish: a and
 * n (the count of elements); identity has none;
 * - the parameters, INFINITY, NAN, the types of C, as in (float)x, and what the text of the struct declares;
 * - make_float2(...) and its like, and the functions below, which can only be called.
 *
 * Functions of double; with an f at its end, as sqrtf, each takes and gives float:
 *     acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf
 *     erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb j0 j1 ldexp
 *     lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter norm3d norm4d normcdf
 *     normcdfinv pow rcbrt remainder rhypot rint rnorm3d rnorm4d round rsqrt scalbln scalbn sin sinh sinpi sqrt
 *     tan tanh tgamma trunc y0 y1
 * Functions that have no such form:
 *     abs fdividef isfinite isinf isnan labs llabs llmax llmin max min signbit ullmax ullmin umax umin
 *
 * Where all that a function of double is given are floats it is that of float; else they are taken as doubles,
 * integers, too. (norm3d norm4d rhypot rnorm3d rnorm4d are always those of double, and pow of a float and an int is
 * that of float.) max and min are of the type that C gives the sum of both.
 *
 * Types are those of C: i8 u8 i16 u16 and bool are int, f16 bf16 e4m3 and e5m2 are float; i and n are signed 64-bit
 * integers, so that a count of 2^63 or more would be negative. Division of two integers is that of integers.
 *
 * The spec may leave the type of a value open: that of map's (map_type), of combine's (accumulate) and of finish's
 * (result). No float then becomes an integer. The type depends on the elements: for map they are those of all inputs,
 * for combine what map gives, for finish the result before it.
 * - All elements are floats: their widest type, whatever the value; f32 where two types of one width differ (f16,
 * bf16).
 * - Else, the value is an integer: the widest type of the elements; of equally wide ones the first. bool is the
 *   narrowest.
 * - Else, the value is a float or a double: f64. But f32 where f32 holds all elements (floats of up to 32 bits,
 * integers of up to 16) and the value is a float, or some elements are floats. What a function of the struct's text
 * gives is taken for an integer; the kernel does not compile where it is a float, and the message asks for the type.
 *
 * So that every expression compiles in seconds it has at most 4096 bytes and 1024 words, numbers and signs; brackets,
 * signs before operands, casts and ?: nest at most 128 deep; and all expressions of a spec together weigh at most
 * 8000: an operator weighs 1, a comparison 4, ?: 8, a quotient, remainder, && or || 32, a function about as many
 * instructions as it has (fabs 1, exp 59, sin 207, pow 274, lgamma 497, y0 779; the forms of float less). A macro of
 * the struct's text makes what is in its brackets weigh eight times as much. */

/* What is wanted. JR_INIT(jr_spec), then set op and type. Members left 0 are chosen by the library; those that are
 * set become compile-time constants of the kernel (grid, blocks_per_multiprocessor, ddof, the initial value and
 * parameters' values excepted). */
typedef struct jr_spec {
    size_t size;            /* sizeof(jr_spec) */
    jr_op op;               /* required, unless ops is set. JR_OP_CUSTOM: combine and identity */
    jr_type type;           /* required: element type of the input, JR_STRUCT with `structure` */
    jr_algorithm algorithm; /* 0: chosen */
    int unroll;             /* loads of a thread under way at once (unroll factor, UF), to JR_UNROLL_MAX; 0: chosen */
    int block;              /* threads a block, multiple of JR_BLOCK_STEP to JR_BLOCK_MAX; 0: chosen. Each takes the
                             * bytes of its accumulator of shared memory, of short or ragged segments 84 more: a block
                             * that needs more than the device gives (48 KiB, or what it gives dynamically) is refused */
    int grid;               /* blocks, to JR_GRID_MAX; 0: chosen. one_block takes only 1 */
    int blocks_per_multiprocessor; /* at most, and fewer where the count or the kernel takes fewer; 0: chosen.
                                    * Says nothing when grid is set */
    jr_shared shared;              /* static or dynamic shared memory; 0: chosen */
    const jr_value *initial; /* folded in once, first, and not counted as an element; NULL: none. Its type must be the
                              * result type: with finish, which comes after it, the one that the result has without
                              * finish and result. Gives min and max of an empty input a value */

    const jr_op *ops; /* several operators in one pass over the data, up to JR_OPS_MAX; op stays 0 */
    int op_count;
    jr_type accumulate; /* i32 u32 i64 u64 f32 f64: in which sums, products, means and norms accumulate; 0: chosen.
                         * norm2 and logsumexp take f32 and f64; norm2 keeps its squares in f64 all the same */
    jr_type result; /* type of the result; 0: the operator's, with finish the value's own (see Expressions). Converted
                     * to by the rule of jr_value_of_number */
    jr_nan nan;
    double ddof; /* of var and std: the divisor is the count less this */

    const char *combine;  /* of JR_OP_CUSTOM: "a < b ? a : b". Must be associative */
    const char *identity; /* of JR_OP_CUSTOM: what combine leaves alone: "INFINITY" */
    const char *map;      /* what the operator is given of each item: "x * y"; NULL: x */
    jr_type map_type;     /* type of it, to which it is converted (jr_value_of_number); 0: the value's own (see
                           * Expressions) */
    const char *where;    /* items for which this is false are left out: "z > 3". When it leaves out all, the result is
                           * that of an empty input, for min, max, argmin and argmax an error (plans: see plan.h) */
    const char *finish;   /* what becomes of the result: "sqrt(a)"; with a list of operators not allowed */
    int commutative;      /* 1: combine may be given its operands in any order; else it is kept (algorithm rows) */
    int kept; /* 1: behind the results comes one more, a u64: how many elements were given to an operator, those that
               * neither `where` nor JR_NAN_IGNORE left out; 0 tells that the others are of nothing. It lies at the next
               * multiple of 16 bytes (jr_result_layout_of), and takes a place of the JR_OPS_MAX. Not for scans */

    int input_count;                       /* arrays, 1 to JR_INPUTS_MAX; 0: 1, of dot 2 */
    jr_type more_types[JR_INPUTS_MAX - 1]; /* of the second to fourth; 0: that of the first */
    const jr_structure *structure;         /* what JR_STRUCT is; NULL: none */
    const jr_parameter *parameters;
    int parameter_count; /* up to JR_PARAMETERS_MAX */

    uint64_t capacity;    /* the largest count that runs of a plan will have: algorithms that work on a copy of the data
                           * (strided, ...) and max_launch_ms size the workspace by it. jr_reduce_host sets it itself */
    double max_launch_ms; /* a run is split into launches so short, for GPUs that drive a display; 0: no limit */
    uint64_t device_bytes; /* device memory that a call on host memory may take for data and results, which go through
                            * it in parts when they are more. 0: of one result (jr_reduce_host) 192 MiB, or room for
                            * all data where the algorithm cannot work in parts; of a scan and of segments what is
                            * free */
    jr_accuracy accuracy;  /* JR_ACCURACY_EXACT: of sum, mean, dot, sumsq, norm1, norm2, var and std (with a whole
                            * ddof) into a type of floats, and of all that rounds nothing anyway; accumulate stays 0.
                            * Exact is what is done with the values of `map`, which is rounded as C rounds: a * b + c
                            * twice, where JR_ACCURACY_FAST leaves it to the compiler, kernel by kernel, to fuse them.
                            * JR_ACCURACY_REPRODUCIBLE: of any operator. The fold of n elements, or of a segment of n,
                            * is that of the first 2^k, the greatest power of two below n, combined with that of the
                            * rest; an element left out is the identity; expressions are rounded as those of exact
                            * sums. Not of scans, segments by keys, states and groups, and along axes only of what the
                            * device's memory holds. Since: 0.2 */
    int unused;            /* 0 */
} jr_spec;

/* Checks a spec as far as that needs no device and no compiler, and finds the types of its results.
 * spec: not NULL. types: one for each operator of the spec, and one more with spec.kept, at most JR_OPS_MAX, written on
 * success only; may be NULL.
 * Owns: nothing. Threads: any. Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE,
 * JR_ERROR_INVALID_EXPRESSION (jr_last_error()->log shows the place). Since: 0.1. */
JR_API jr_status jr_reduce_check(const jr_spec *spec, jr_type *types);

/* How the results of one reduction lie in memory: of a plan's run, of each segment, of each element of a scan. */
typedef struct jr_result_layout {
    size_t size;                /* sizeof(jr_result_layout) */
    int count;                  /* one for each operator of the spec, and one more with spec.kept */
    jr_type types[JR_OPS_MAX];  /* JR_STRUCT: the spec's structure */
    size_t offsets[JR_OPS_MAX]; /* where each begins, in bytes */
    size_t bytes;               /* of all together: from the results of one segment to those of the next */
    size_t alignment;           /* that device memory for them needs; host memory needs none */
} jr_result_layout;

/* Finds how the results of a spec lie in memory, without a device and a compiler: what to allocate for
 * jr_reduce_host_axis, jr_reduce_host_segments, jr_scan_host and runs of plans. It is the layout of every plan that is
 * made of the spec.
 * layout: written on success only. Owns: nothing. Threads: any. Errors: as jr_reduce_check. Since: 0.2. */
JR_API jr_status jr_result_layout_of(const jr_spec *spec, jr_result_layout *layout);

/* Reduces count elements in host memory to one value: copies them to the device, reduces, waits. Much data goes through
 * a few buffers of the device in turn, copied while the part before is reduced: it may be larger than the device's
 * memory, when the algorithm can work in parts (two_pass, rows; chosen unless the spec names one).
 * data: count elements of spec->type, aligned to the element; may be NULL when count is 0; not changed. The spec must
 * have one input and one operator.
 * value: written on success only.
 * Owns: nothing. Threads: any, several at once. Errors: JR_ERROR_EMPTY_INPUT (min, max without initial, argmin, argmax
 * of no elements, or of none that `where` keeps),
 * JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE,
 * JR_ERROR_INVALID_EXPRESSION (the log shows the expression and a caret), JR_ERROR_COMPILE, JR_ERROR_NVRTC_NOT_FOUND,
 * JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT. Since: 0.1. */
JR_API jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count,
                                jr_value *value);

/* Reduces several arrays in host memory, read side by side, or with a list of operators.
 * data: as many arrays as the spec has inputs, count elements each. values: one for each operator of the spec, and one
 * more with spec.kept; written on success only.
 * Owns: nothing. Threads: any, several at once. Errors: as jr_reduce_host. Since: 0.1. */
JR_API jr_status jr_reduce_host_arrays(jr_context *context, const jr_spec *spec, const void *const *data,
                                       uint64_t count, jr_value *values);

#ifdef __cplusplus
}
#endif
#endif
