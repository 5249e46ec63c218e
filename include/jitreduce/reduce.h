/* Reductions, the first tier: what a spec can ask for, and one call from host memory to one value.
 * Manual: reduce.md, operators.md, accuracy.md. */
#ifndef JITREDUCE_REDUCE_H
#define JITREDUCE_REDUCE_H

#include "compat.h" /* the names of version 0.2 */
#include "context.h"

#ifdef __cplusplus
extern "C" {
#endif

/* In which shared memory a block keeps the values that its threads combine. */
typedef enum jr_shared { JR_SHARED_AUTO = 0, JR_SHARED_STATIC = 1, JR_SHARED_DYNAMIC = 2 } jr_shared;

/* What NaN means to an operator. */
typedef enum jr_nan {
    JR_NAN_PROPAGATE = 0, /* a NaN makes the result NaN (argmin, argmax: the NaN is the extremum) */
    JR_NAN_IGNORE = 1     /* NaNs are skipped; if all elements are NaN, the result is that of an empty input: of argmin
                           * and argmax an error or -1. Only min and max have a value then, NaN; with spec.kept the count
                           * is 0 */
} jr_nan;

/* How a result is rounded. */
typedef enum jr_accuracy {
    JR_ACCURACY_FAST = 0,        /* in the algorithm's own order: another tuning may give other last bits */
    JR_ACCURACY_EXACT = 1,       /* the exact result, rounded once, to nearest, ties to even: the same bits with every
                                  * algorithm, tuning and device */
    JR_ACCURACY_REPRODUCIBLE = 2 /* in the order of one fixed tree, whose shape depends on the count only: the same bits
                                  * with every algorithm that supports it, tuning, address and device. Since: 0.2 */
} jr_accuracy;

/* An element type of the caller's, as source text. The text is trusted: it is compiled as it is. It may also define
 * functions for expressions. */
typedef struct jr_structure {
    size_t size;        /* sizeof(jr_structure) */
    const char *name;   /* "pair" */
    const char *source; /* "struct pair { float key; int id; };" */
    size_t bytes;       /* sizeof, 1 to JR_STRUCT_BYTES_MAX; checked when the kernel is compiled */
    size_t alignment;   /* 1, 2, 4, 8 or 16 */
} jr_structure;

/* A named number for use in expressions. Its type is compiled in (i32 u32 i64 u64 f32 f64); its value is passed at each
 * run. Keeps its layout in all versions. */
typedef struct jr_parameter {
    const char *name; /* an identifier of at most 31 characters */
    jr_value value;
} jr_parameter;

enum { JR_INPUTS_MAX = 4, JR_OPS_MAX = 8, JR_PARAMETERS_MAX = 16 };

/* Limits of a spec's tuning. */
#define JR_UNROLL_MAX                    16
#define JR_BLOCK_STEP                    32 /* threads per block are a multiple of it */
#define JR_BLOCK_MAX                     1024
#define JR_GRID_MAX                      65535
#define JR_BLOCKS_PER_MULTIPROCESSOR_MAX 64

/* Expressions.
 *
 * An expression is C for one value, on one line, without braces, semicolons, string literals, assignments, pointers and
 * indices. It may use
 * - its variables: x, y, z, w (the elements) and i (the index) in `map` and `where`; a and b in `combine`; a and n (the
 *   count of all elements, selected or not) in `finish`; none in `identity`; x, y, z, w, i, n and the results of the
 * row, r or of a list r0, r1, ..., in `apply`, of many arrays those of all, too: all or all0, all1, ...;
 * - the parameters, INFINITY, NAN, the types of C, as in (float)x, and what the text of the struct declares;
 * - make_float2(...) and similar functions, and the functions below, which can only be called.
 *
 * Functions of double; with an f at the end, such as sqrtf, each takes and returns float:
 *     acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erf
 *     erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim floor fma fmax fmin fmod hypot ilogb j0 j1 ldexp
 *     lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter norm3d norm4d normcdf
 *     normcdfinv pow rcbrt remainder rhypot rint rnorm3d rnorm4d round rsqrt scalbln scalbn sin sinh sinpi sqrt
 *     tan tanh tgamma trunc y0 y1
 * Functions without such a form:
 *     abs fdividef isfinite isinf isnan labs llabs llmax llmin max min signbit ullmax ullmin umax umin
 *
 * A function of double is that of float if all its arguments are floats; otherwise its arguments, integers too, become
 * doubles. (norm3d norm4d rhypot rnorm3d rnorm4d are always those of double; pow of a float and an int is that of
 * float.) max and min have the type that C gives the sum of both arguments.
 *
 * Types are those of C: i8 u8 i16 u16 and bool become int; f16 bf16 e4m3 and e5m2 become float; i and n are signed
 * 64-bit integers, so that a count of 2^63 or more would be negative. Division of two integers is integer division.
 *
 * The spec may leave the type of a value open: map_type for `map`, accumulate for `combine`, result for `finish`. A
 * float then never becomes an integer. The type depends on the elements: for `map` those of all inputs, for `combine`
 * what `map` gives, for `finish` the result before it.
 * - If all elements are floats: their widest type, whatever the value; f32 if two types of the same width differ (f16,
 *   bf16).
 * - Otherwise, if the value is an integer: the widest type of the elements; of equally wide types the first. bool is
 *   the narrowest.
 * - Otherwise (the value is a float or a double): f64; but f32 if f32 holds all elements (floats of up to 32 bits,
 *   integers of up to 16) and either the value is a float or some elements are floats.
 *
 * The result of a function that the struct's text defines is taken for an integer; if it is a float, the kernel does
 * not compile, and the message asks for the type.
 *
 * So that every expression compiles in seconds, it has at most 4096 bytes and 1024 words, numbers and signs; brackets,
 * signs before operands, casts and ?: nest at most 128 deep; and all expressions of a spec together weigh at most 8000:
 * an operator weighs 1, a comparison 4, ?: 8, a quotient, remainder, && or || 32, a function about as many instructions
 * as it has (fabs 1, exp 59, sin 207, pow 274, lgamma 497, y0 779; the float forms less). A macro of the struct's text
 * makes what is in its brackets weigh eight times as much. */

/* What to compute and how. JR_INIT(jr_spec), then set op and type. The library chooses members that are 0. Members that
 * are set become compile-time constants of the kernel, except grid, blocks_per_multiprocessor, ddof, the initial value
 * and the parameters' values. */
typedef struct jr_spec {
    size_t size;            /* sizeof(jr_spec) */
    jr_op op;               /* required, unless ops is set. JR_OP_CUSTOM: combine and identity */
    jr_type type;           /* required: element type of the input, JR_STRUCT with `structure` */
    jr_algorithm algorithm; /* 0: chosen */
    int unroll;             /* loads that a thread has in flight (unroll factor, UF), up to JR_UNROLL_MAX; 0: chosen */
    int block;              /* threads per block, a multiple of JR_BLOCK_STEP up to JR_BLOCK_MAX; 0: chosen. Each thread
                             * needs shared memory for its accumulator, with short or ragged segments 84 bytes more; a
                             * block that needs more than the device has (48 KiB, or its dynamic limit) is refused */
    int grid;               /* blocks, up to JR_GRID_MAX; 0: chosen. one_block takes only 1 */
    int blocks_per_multiprocessor; /* upper limit; fewer if the count or the kernel allows only fewer; 0: chosen.
                                    * Ignored if grid is set */
    jr_shared shared;              /* static or dynamic shared memory; 0: chosen */
    const jr_value *initial;       /* the initial value: folded in once, first, and not counted as an element; NULL: no
                                    * initial value. Its type must be the result type; with `finish`, which is applied
                                    * after it, the type that the result has without finish and result. It gives min
                                    * and max of an empty input a value */

    const jr_op *ops; /* several operators in one pass over the data, up to JR_OPS_MAX; op stays 0 */
    int op_count;
    jr_type accumulate; /* i32 u32 i64 u64 f32 f64: in which sums, products, means and norms accumulate; 0: chosen.
                         * norm2 and logsumexp take f32 and f64; norm2 keeps its squares in f64 in any case */
    jr_type result;     /* type of the result; 0: the operator's, with `finish` the value's own (see Expressions). The
                         * conversion follows the rule of jr_value_of_number */
    jr_nan nan;
    double ddof; /* var, std: the divisor is the count minus ddof; 0 for lists without them, and other operators */

    const char *combine;  /* for JR_OP_CUSTOM: "a < b ? a : b". Must be associative */
    const char *identity; /* for JR_OP_CUSTOM: the value that combine leaves unchanged: "INFINITY" */
    const char *map;      /* the value that the operator gets for each element: "x * y"; NULL: x */
    jr_type map_type;     /* type to which that value is converted (jr_value_of_number); 0: the value's own (see
                           * Expressions) */
    const char *where;    /* elements for which this is false are skipped: "z > 3". If it skips all, the result is that
                           * of an empty input: an error for min, max, argmin and argmax (plans: see plan.h) */
    const char *finish;   /* computes the result from the reduced value: "sqrt(a)"; not with a list of operators */
    int commutative; /* for JR_OP_CUSTOM, otherwise ignored. 1: combine gives the same with a and b swapped, and may
                      * get them in any order; 0: the order is kept (algorithm rows). "fabs(a) > fabs(b) ? a : b"
                      * is not commutative: of 3 and -3 it gives b, so that with 1 the result would depend on the
                      * tuning */
    int kept; /* 1: one more result follows, a u64: how many elements the operators got, that is, how many neither
               * `where` nor JR_NAN_IGNORE skipped. It starts at the next multiple of 16 bytes (jr_result_layout_of)
               * and counts as one of JR_OPS_MAX operators. Not for scans */

    int input_count; /* arrays, 1 to JR_INPUTS_MAX; 0: 1 (dot: 2). Several need a map or where; one that these do not
                      * name is not used, as is a parameter that no expression names */
    jr_type more_types[JR_INPUTS_MAX - 1]; /* types of the second to fourth array; 0: that of the first */
    const jr_structure *structure;         /* describes JR_STRUCT; NULL: no struct */
    const jr_parameter *parameters;
    int parameter_count; /* up to JR_PARAMETERS_MAX */

    uint64_t capacity; /* the largest count of a plan's runs: algorithms that work on a copy of the data (strided, ...)
                        * and max_launch_ms size the workspace by it. jr_reduce_host sets it itself */
    double max_launch_ms;  /* splits a run into launches of at most this length, for GPUs that drive a display; 0: no
                            * limit */
    uint64_t device_bytes; /* limit of the device memory that a call on host memory takes for data and results; larger
                            * data is processed in parts. 0: 192 MiB for one result (jr_reduce_host), or room for all
                            * data if the algorithm cannot work in parts; all free memory for scans and segments */
    jr_accuracy accuracy;  /* JR_ACCURACY_EXACT: for sum, mean, dot, sumsq, norm1, norm2, var and std (ddof must be a
                            * whole number) with a float result, and for operators that never round; accumulate must be
                            * 0. The values of `map` are rounded as in C, a * b + c twice, and then summed exactly (with
                            * JR_ACCURACY_FAST the compiler may fuse such operations).
                            * JR_ACCURACY_REPRODUCIBLE: for any operator. The fold of n elements, or of a segment of n
                            * elements, combines the fold of the first 2^k, the greatest power of two below n, with the
                            * fold of the rest; a skipped element is the identity; expressions are rounded as with
                            * JR_ACCURACY_EXACT. Not for scans, keys in device memory, states, ranks of a group and data
                            * on its devices; along axes only if the data fits into the device's memory. Since: 0.2 */
    int unused;            /* 0 */
    const char *apply;  /* JR_WORK_APPLY: the value of each element, from it and the results of its row: "x - r". NULL
                         * for  all other works. Since: 0.3 */
    jr_type apply_type; /* its type, to which the value is converted (jr_value_of_number); 0: that of x if x is a float,
                         * else f32 for x of up to 16 bits, and f64. Since: 0.3 */
    unsigned row_inputs; /* JR_WORK_APPLY: bit k: array k, from 1 on, has the elements of one row, which all rows share,
                          * such as weights: 2 for y. Since: 0.3 */
} jr_spec;

/* Checks a spec as far as that needs neither device nor compiler, and finds the types of its results.
 *
 * spec: read before the call returns.
 * types: room for one type per operator of the spec, and one more with spec.kept (at most JR_OPS_MAX); written on
 *   success only; may be NULL.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_INVALID_EXPRESSION (jr_last_error()->log shows
 *   the expression and a caret at the place).
 * Since: 0.1. */
JR_API jr_status jr_reduce_check(const jr_spec *spec, jr_type *types);

/* The layout in memory of the results of one reduction: of a plan's run, of each segment, of each element of a scan. */
typedef struct jr_result_layout {
    size_t size;                /* sizeof(jr_result_layout) */
    int count;                  /* one for each operator of the spec, and one more with spec.kept */
    jr_type types[JR_OPS_MAX];  /* JR_STRUCT: the spec's structure */
    size_t offsets[JR_OPS_MAX]; /* where each begins, in bytes */
    size_t bytes;               /* of all together: the distance from the results of one segment to those of the next */
    size_t alignment;           /* required of device memory; host memory needs no alignment */
    size_t state_bytes;         /* of a state (state.h). Since: 0.3 */
} jr_result_layout;

/* Finds the layout of a spec's results without a device and a compiler: how much to allocate for the results
 * of works. Every plan made from the spec has this layout.
 *
 * spec: read before the call returns.
 * layout: `size` must be set; the rest is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_INVALID_EXPRESSION (jr_last_error()->log shows
 *   the expression and a caret at the place).
 * Since: 0.2. */
JR_API jr_status jr_result_layout_of(const jr_spec *spec, jr_result_layout *layout);

/* What integers may do in a reduction. C allows all of it, and the result does not show it. */
#define JR_MAY_WRAP           1u /* a value may not fit its type */
#define JR_MAY_CUT            2u /* a quotient may lose its fraction */
#define JR_MAY_DIVIDE_BY_ZERO 4u /* a divisor may be 0, for which C has no result */
#define JR_NOTES_CUT          8u /* `note` is about a quotient that may lose its fraction (since 0.3) */

/* Finds what integers may do in the expressions and operators of a spec, from the ranges of the elements. It needs
 * neither device nor compiler and looks at no element: what it does not find cannot happen; what it finds may not.
 *
 * spec: read before the call returns.
 * ranges: two values per input, the least and the greatest element, of type i32, u32, i64 or u64; values of other
 *   types, and NULL for `ranges`, stand for all numbers of the input's type.
 * count: elements.
 * flags: JR_MAY_ flags and JR_NOTES_CUT, written on success only.
 * note: gets a sentence about what is C and may not be meant, such as "1 / 2", a comparison of a negative with an
 *   unsigned number, or a product of the index, `n`, parameters and constants that wraps; or a quotient that may be
 *   cut, unless map_type, accumulate or result is a type of whole numbers; "" if there is nothing. May be NULL.
 * note_bytes: room in `note`; 512 suffice.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: those of jr_reduce_check; JR_ERROR_INVALID_ARGUMENT if flags is NULL.
 * Since: 0.2. */
JR_API jr_status jr_reduce_foresee(const jr_spec *spec, const jr_value *ranges, uint64_t count, unsigned *flags,
                                   char *note, size_t note_bytes);

/* Reduces an array in host memory to one value: copies it to the device, reduces it, waits. Large data is copied in
 * parts through a few device buffers while the part before is reduced, so it may be larger than the device's memory if
 * the algorithm can work in parts (two_pass, rows; chosen unless the spec names one).
 *
 * spec: must have one input and one operator, and not kept; read before the call returns.
 * data: `count` elements of spec->type, aligned to the element; not changed; may be NULL if `count` is 0.
 * count: elements; may be 0 if the operator has a value for an empty input.
 * value: where the result is written, on success only.
 *
 * Owns: nothing.
 * Threads: any.
 * Errors: JR_ERROR_EMPTY_INPUT (min and max without an initial value, argmin, argmax: if there are no elements, or
 *   `where` skips all), JR_ERROR_INVALID_ARGUMENT, JR_ERROR_UNSUPPORTED_TYPE, JR_ERROR_NOT_APPLICABLE,
 *   JR_ERROR_INVALID_EXPRESSION (jr_last_error()->log shows the expression and a caret), JR_ERROR_COMPILE,
 *   JR_ERROR_NVRTC_NOT_FOUND, JR_ERROR_ARCHITECTURE, JR_ERROR_LOAD, JR_ERROR_LAUNCH_RESOURCES, JR_ERROR_OUT_OF_MEMORY,
 *   JR_ERROR_DEVICE_OUT_OF_MEMORY, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 * Since: 0.1. */
JR_API jr_status jr_reduce_host(jr_context *context, const jr_spec *spec, const void *data, uint64_t count,
                                jr_value *value);

#ifdef __cplusplus
}
#endif
#endif
