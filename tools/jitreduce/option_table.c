/* The options: one row each. To add one is to add a row and the function that takes its argument. */
#include <string.h>

#include "number.h"
#include "option_bench.h"
#include "option_input.h"
#include "option_shape.h"
#include "option_spec.h"

static cli_exit take_algorithm(cli_options *options, const char *argument, cli_error *error) {
    options->spec.algorithm = JR_ALGORITHM_AUTO;
    if (strcmp(argument, "auto") == 0) return CLI_OK;
    if (jr_algorithm_find(argument, &options->spec.algorithm) == JR_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--algorithm: '%s' is not one of auto" JR_ALGORITHMS(WORD) SEE_HELP, argument);
}

/* A whole number from low to high that is a multiple of step. */
static cli_exit take_int(const char *option, const char *argument, const int range[3], int *value, cli_error *error) {
    uint64_t number;
    bool good = cli_count_parse(argument, &number) && number >= (uint64_t)range[0] && number <= (uint64_t)range[1] &&
                number % (uint64_t)range[2] == 0;
    if (good) *value = (int)number;
    if (good) return CLI_OK;
    if (range[2] > 1)
        return cli_fail(error, CLI_USAGE, "%s: '%s' is not a multiple of %d from %d to %d" SEE_HELP, option, argument,
                        range[2], range[0], range[1]);
    return cli_fail(error, CLI_USAGE, "%s: '%s' is not a number from %d to %d" SEE_HELP, option, argument, range[0],
                    range[1]);
}

static cli_exit take_uf(cli_options *options, const char *argument, cli_error *error) {
    return take_int("--uf", argument, (int[]){1, JR_UNROLL_MAX, 1}, &options->spec.unroll, error);
}

static cli_exit take_block(cli_options *options, const char *argument, cli_error *error) {
    return take_int("--block", argument, (int[]){JR_BLOCK_STEP, JR_BLOCK_MAX, JR_BLOCK_STEP}, &options->spec.block,
                    error);
}

static cli_exit take_grid(cli_options *options, const char *argument, cli_error *error) {
    return take_int("--grid", argument, (int[]){1, JR_GRID_MAX, 1}, &options->spec.grid, error);
}

static cli_exit take_shared(cli_options *options, const char *argument, cli_error *error) {
    if (strcmp(argument, "auto") == 0)
        options->spec.shared = JR_SHARED_AUTO;
    else if (strcmp(argument, "static") == 0)
        options->spec.shared = JR_SHARED_STATIC;
    else if (strcmp(argument, "dynamic") == 0)
        options->spec.shared = JR_SHARED_DYNAMIC;
    else
        return cli_fail(error, CLI_USAGE, "--shared: '%s' is not one of auto static dynamic" SEE_HELP, argument);
    return CLI_OK;
}

static cli_exit take_device(cli_options *options, const char *argument, cli_error *error) {
    const char *number = strncmp(argument, "cuda:", 5) == 0 ? argument + 5 : NULL;
    bool numbered =
        number != NULL && number[0] != '\0' && strlen(number) <= 4 && number[strspn(number, "0123456789")] == '\0';
    if (!numbered && strcmp(argument, "auto") != 0 && strcmp(argument, "cuda") != 0 && strcmp(argument, "sim") != 0)
        return cli_fail(error, CLI_USAGE, "--device: '%s' is not one of auto cuda cuda:N sim" SEE_HELP, argument);
    options->device = argument;
    return CLI_OK;
}

/* Options whose argument is kept as it stands. */
#define TEXT(name, field)                                                                                              \
    static cli_exit take_##name(cli_options *options, const char *argument, cli_error *error) {                        \
        (void)error;                                                                                                   \
        options->field = argument;                                                                                     \
        return CLI_OK;                                                                                                 \
    }
TEXT(initial, initial)
TEXT(nvrtc, nvrtc)
TEXT(cache_dir, cache_dir)
TEXT(wisdom, wisdom)
TEXT(offsets, offsets)
TEXT(output, output)
TEXT(map, spec.map)
TEXT(where, spec.where)
TEXT(finish, spec.finish)
TEXT(combine, spec.combine)
TEXT(identity, spec.identity)
TEXT(y, more_files[1])
TEXT(z, more_files[2])
TEXT(w, more_files[3])
TEXT(plot, bench.plot)

static cli_exit take_no_cache(cli_options *options, const char *argument, cli_error *error) {
    (void)argument;
    return take_cache_dir(options, "", error);
}

/* Options without an argument. */
#define FLAG(name, field)                                                                                              \
    static cli_exit take_##name(cli_options *options, const char *argument, cli_error *error) {                        \
        (void)argument, (void)error;                                                                                   \
        options->field = true;                                                                                         \
        return CLI_OK;                                                                                                 \
    }
FLAG(commutative, spec.commutative)
FLAG(exclusive, exclusive)
FLAG(stats, stats)
FLAG(json, json)
FLAG(quiet, quiet)
FLAG(help, help)
FLAG(version, version)
FLAG(warm, bench.warm)
FLAG(graph, bench.graph)
FLAG(latency, bench.latency)
FLAG(one_pass, bench.one_pass)
FLAG(csv, bench.csv)

/* Which subcommands take an option. */
#define REDUCE CLI_SCOPE_REDUCE
#define TIMED  (CLI_SCOPE_REDUCE | CLI_SCOPE_COMPARE)
#define RUNS   (CLI_SCOPE_REDUCE | CLI_SCOPE_SCAN)
#define DATA   (CLI_SCOPE_REDUCE | CLI_SCOPE_COMPARE | CLI_SCOPE_SCAN)
#define PLANS  (CLI_SCOPE_REDUCE | CLI_SCOPE_INFO | CLI_SCOPE_BENCH)
#define BENCH  CLI_SCOPE_BENCH
#define TUNE   CLI_SCOPE_TUNE
#define SPEC   (DATA | CLI_SCOPE_INFO | BENCH)
#define WORK   (SPEC | TUNE)

#define WHAT        "What to reduce with"
#define EXPRESSIONS "Expressions (C, one line each; the manual is include/jitreduce/reduce.h)"
#define HOW         "How (left out: chosen for you)"
#define WHERE       "Where"
#define INPUT       "Input"
#define MEASURE     "Measuring (of bench and tune)"
#define OUTPUT      "Output"

const cli_option cli_option_table[] = {
    {"op", NULL, "OP[,OP...]", 'o', WORK, WHAT, cli_take_op,
     "operator:" JR_OPS(
         WORD) "; left out: sum\nSeveral, as min,max,mean, go over the data once and print a value a line; "
               "minmax is min,max. argmin and argmax print the index, from 0; argmin,min both."},
    {"type", NULL, "T[,T...]", 't', WORK, WHAT, cli_take_type,
     "element type:" JR_TYPES(
         WORD) "\nleft out: what the .npy says; text: i64 when all numbers are whole and fit, u64 "
               "when only that holds them, else f64. A list: of x, y, z, w; the last one counts for "
               "the rest."},
    {"accumulate", NULL, "T", 0, WORK, WHAT, cli_take_accumulate,
     "type in which sums, products, means and norms accumulate: i32 u32 i64 u64 f32 f64"},
    {"result", NULL, "T", 0, WORK, WHAT, cli_take_result, "type of the result"},
    {"initial", NULL, "VALUE", 0, DATA, WHAT, take_initial, "a value folded in once; what an empty input gives"},
    {"nan", NULL, "POLICY", 0, WORK, WHAT, cli_take_nan,
     "propagate: a NaN makes the result NaN; ignore: NaNs are left out"},
    {"ddof", NULL, "D", 0, WORK, WHAT, cli_take_ddof, "of var and std: the divisor is the count less D; left out: 0"},
    {"exclusive", NULL, NULL, 0, CLI_SCOPE_SCAN, WHAT, take_exclusive,
     "of scan: of all elements before each, not up to it; the first result is the initial value, or that of nothing"},
    {"map", NULL, "EXPR", 0, WORK, EXPRESSIONS, take_map,
     "what the operator is given of each element x (and of y, z, w; i is the index): 'x * x', 'fabs(x - y)'"},
    {"map-type", NULL, "T", 0, WORK, EXPRESSIONS, cli_take_map_type, "type of --map's value; left out: that of x"},
    {"where", NULL, "EXPR", 0, WORK, EXPRESSIONS, take_where,
     "only elements for which this holds count: 'x > 0 && i % 2 == 0'"},
    {"finish", NULL, "EXPR", 0, WORK, EXPRESSIONS, take_finish,
     "what becomes of the result a; n is the count of elements: 'sqrt(a / n)'"},
    {"combine", NULL, "EXPR", 0, WORK, EXPRESSIONS, take_combine,
     "an operator of your own over a and b; must be associative: 'a < b ? a : b'; needs --identity"},
    {"identity", NULL, "EXPR", 0, WORK, EXPRESSIONS, take_identity, "what --combine leaves alone: 'INFINITY'"},
    {"commutative", NULL, NULL, 0, WORK, EXPRESSIONS, take_commutative,
     "--combine may swap a and b: faster; left out: the order of the elements is kept"},
    {"param", NULL, "NAME=V[:T]", 0, WORK, EXPRESSIONS, cli_take_param,
     "a number that expressions know by name; may be given again. T: i32 u32 i64 u64 f32 f64; left out: i64 when V is "
     "whole, else f64"},
    {"struct", NULL, "TEXT", 0, SPEC, EXPRESSIONS, cli_take_struct,
     "a struct as the type of x, raw: 'struct pair { float key; int id; };'; functions for expressions may follow it"},
    {"struct-bytes", NULL, "N", 0, SPEC, EXPRESSIONS, cli_take_struct_bytes,
     "sizeof the struct, where its members are not plain numbers"},
    {"struct-alignment", NULL, "N", 0, SPEC, EXPRESSIONS, cli_take_struct_alignment, "and its alignment"},
    {"algorithm", NULL, "NAME", 'a', PLANS, HOW, take_algorithm, "auto" JR_ALGORITHMS(WORD)},
    {"uf", "unroll", "N", 'u', SPEC, HOW, take_uf,
     "unroll factor: loads a thread has under way at once, 1 to " NUMBER_TEXT(JR_UNROLL_MAX)},
    {"block", NULL, "N", 'b', SPEC, HOW, take_block,
     "threads in a block: a multiple of " NUMBER_TEXT(JR_BLOCK_STEP) " from " NUMBER_TEXT(
         JR_BLOCK_STEP) " to " NUMBER_TEXT(JR_BLOCK_MAX)},
    {"grid", NULL, "N", 'g', SPEC, HOW, take_grid, "blocks: 1 to " NUMBER_TEXT(JR_GRID_MAX)},
    {"shared", NULL, "KIND", 0, SPEC, HOW, take_shared, "shared memory: auto static dynamic"},
    {"max-launch-ms", NULL, "MS", 0, TIMED, HOW, cli_take_max_launch_ms,
     "launches of about this long at most, and more of them: for a GPU that drives a display"},
    {"device", NULL, "DEVICE", 'd', CLI_SCOPE_ALL, WHERE, take_device,
     "auto: the GPU, or the simulator where there is no NVIDIA driver; cuda or cuda:N: that GPU or none; sim: the PTX "
     "simulator"},
    {"device-bytes", NULL, "N", 0, REDUCE, WHERE, cli_take_device_bytes,
     "device memory for the data; more data than that goes through it in parts; left out: 192 MiB"},
    {"nvrtc", NULL, "PATH", 0, CLI_SCOPE_ALL, WHERE, take_nvrtc, "the NVRTC library, instead of searching for one"},
    {"cache-dir", NULL, "DIR", 0, CLI_SCOPE_ALL, WHERE, take_cache_dir, "folder of the cache of compiled kernels"},
    {"no-cache", NULL, NULL, 0, CLI_SCOPE_ALL, WHERE, take_no_cache, "keep no compiled kernels on disk"},
    {"wisdom", NULL, "FILE", 0, CLI_SCOPE_ALL, WHERE, take_wisdom, "file of stored tunings; empty: none are used"},
    {"y", NULL, "FILE", 'y', DATA, INPUT, take_y,
     "a second array, as long as the first and read beside it: y of expressions and of --op dot"},
    {"z", NULL, "FILE", 'z', DATA, INPUT, take_z, "a third one"},
    {"w", NULL, "FILE", 'w', DATA, INPUT, take_w, "a fourth one"},
    {"format", NULL, "FORMAT", 'f', DATA, INPUT, cli_take_format,
     "auto npy raw text; auto: .npy by its first bytes, else text"},
    {"raw", NULL, NULL, 0, DATA, INPUT, cli_take_raw, "the same as --format raw; needs --type"},
    {"column", NULL, "K", 'k', DATA, INPUT, cli_take_column,
     "of a text, only field K of each line (CSV); a header line is fine"},
    {"offset", NULL, "N", 0, DATA | BENCH, INPUT, cli_take_offset, "leave out the first N elements"},
    {"count", NULL, "N", 'n', DATA, INPUT, cli_take_limit, "take N elements, no more"},
    {"random", NULL, "N", 0, DATA, INPUT, cli_take_random,
     "N random elements instead of a file (f32 unless --type says else): floats in [-1, 1) (f16 in steps of 1/1024, "
     "bf16 "
     "of 1/128), i32 and i64 in [-2^20, 2^20), u32 and u64 in [0, 2^20), smaller integers and bool in their whole "
     "range; "
     "the same ones on every machine"},
    {"seed", NULL, "S", 0, DATA, INPUT, cli_take_seed, "another set of random elements; left out: 0"},
    {"iota", NULL, "N", 0, DATA, INPUT, cli_take_iota,
     "the numbers 0 to N-1 instead of a file (i64 unless --type says else), where the type holds them exactly"},
    {"segment-length", NULL, "N", 0, REDUCE, INPUT, cli_take_segment_length,
     "reduce every N elements by themselves: a line for each, its values parted by blanks"},
    {"offsets", NULL, "FILE", 0, REDUCE, INPUT, take_offsets,
     "reduce segments of any lengths: FILE, .npy or text, has the element at which each begins, and the end"},
    {"axis", NULL, "K", 0, REDUCE, INPUT, cli_take_axis,
     "reduce along axis K of an array, from 0; -1 is the last one: a line for each result, in C order"},
    {"shape", NULL, "N,N,...", 0, REDUCE, INPUT, cli_take_shape,
     "the shape of that array; left out: what the .npy says, else one dimension"},
    {"sizes", NULL, "N,FROM..TO*F", 0, BENCH | TUNE, MEASURE, cli_take_sizes,
     "counts of elements; FROM..TO*F: each F times the one before, left out: twice"},
    {"warm", NULL, NULL, 0, BENCH, MEASURE, take_warm,
     "the same data every time; left out: buffers far beyond the caches"},
    {"graph", NULL, NULL, 0, BENCH, MEASURE, take_graph, "runs captured in a CUDA graph, not launched one by one"},
    {"latency", NULL, NULL, 0, BENCH, MEASURE, take_latency, "host time from a call until its value is in host memory"},
    {"one-pass", NULL, NULL, 0, BENCH, MEASURE, take_one_pass,
     "the operators of --op in one pass; left out: one by one"},
    {"rounds", NULL, "N", 0, BENCH, MEASURE, cli_take_rounds, "samples of each contestant, which take turns"},
    {"peer", NULL, "FILE.so", 0, BENCH, MEASURE, cli_take_peer,
     "another library to measure beside ours, as tools/bench/peer_cub.cu; may be given again"},
    {"limit", NULL, "SECONDS", 0, TUNE, MEASURE, cli_take_limit_s,
     "of tune: about so long, shared out over what is left to tune; left out: as long as it takes"},
    {"csv", NULL, NULL, 0, BENCH, OUTPUT, take_csv, "comma-separated values, a line for each contestant and size"},
    {"plot", NULL, "FILE", 0, BENCH, OUTPUT, take_plot, "draw the results into FILE.svg or FILE.png, by gnuplot"},
    {"output", NULL, "FILE.npy", 0, RUNS, OUTPUT, take_output,
     "write many results (of scan, segments, an axis) to an .npy file instead of lines"},
    {"stats", NULL, NULL, 's', RUNS, OUTPUT, take_stats, "where the kernel came from, and times, on standard error"},
    {"json", NULL, NULL, 'j', DATA | BENCH | TUNE, OUTPUT, take_json, "one JSON object instead of the value alone"},
    {"quiet", NULL, NULL, 'q', CLI_SCOPE_ALL, OUTPUT, take_quiet,
     "no line about falling back to the simulator, no progress of tune"},
    {"help", NULL, NULL, 'h', CLI_SCOPE_ALL, OUTPUT, take_help, "this text"},
    {"version", NULL, NULL, 'V', CLI_SCOPE_ALL, OUTPUT, take_version, "the version"},
};
const int cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;
