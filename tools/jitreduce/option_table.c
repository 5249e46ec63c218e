/* The options: one row each. To add one is to add a row and the function that takes its argument. */
#include <string.h>

#include "number.h"
#include "options.h"

#define SEE_HELP                 "; see 'jitreduce --help'"
#define WORD(name, number, text) " " text

static cli_exit take_op(cli_options *options, const char *argument, cli_error *error) {
    if (jr_op_find(argument, &options->spec.op) == JR_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--op: '%s' is not one of" JR_OPS(WORD) SEE_HELP, argument);
}

static cli_exit take_type(cli_options *options, const char *argument, cli_error *error) {
    if (jr_type_find(argument, &options->spec.type) == JR_OK) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--type: '%s' is not one of" JR_TYPES(WORD) SEE_HELP, argument);
}

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
    return take_int("--uf", argument, (int[]){1, 16, 1}, &options->spec.unroll, error);
}

static cli_exit take_block(cli_options *options, const char *argument, cli_error *error) {
    return take_int("--block", argument, (int[]){32, 1024, 32}, &options->spec.block, error);
}

static cli_exit take_grid(cli_options *options, const char *argument, cli_error *error) {
    return take_int("--grid", argument, (int[]){1, 65535, 1}, &options->spec.grid, error);
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

static cli_exit take_initial(cli_options *options, const char *argument, cli_error *error) {
    (void)error;
    options->initial = argument;
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

static cli_exit take_nvrtc(cli_options *options, const char *argument, cli_error *error) {
    (void)error;
    options->nvrtc = argument;
    return CLI_OK;
}

static cli_exit take_cache_dir(cli_options *options, const char *argument, cli_error *error) {
    (void)error;
    options->cache_dir = argument;
    return CLI_OK;
}

static cli_exit take_no_cache(cli_options *options, const char *argument, cli_error *error) {
    (void)argument;
    return take_cache_dir(options, "", error);
}

static cli_exit take_format(cli_options *options, const char *argument, cli_error *error) {
    static const char *const names[] = {"auto", "npy", "raw", "text"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(argument, names[i]) != 0) continue;
        options->format = (cli_format)i;
        return CLI_OK;
    }
    return cli_fail(error, CLI_USAGE, "--format: '%s' is not one of auto npy raw text" SEE_HELP, argument);
}

static cli_exit take_raw(cli_options *options, const char *argument, cli_error *error) {
    (void)argument;
    return take_format(options, "raw", error);
}

static cli_exit take_count(const char *option, const char *argument, uint64_t *count, cli_error *error) {
    if (cli_count_parse(argument, count)) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "%s: '%s' is not a count as 1000, 1e8, 2^20, 100M or 1Gi" SEE_HELP, option,
                    argument);
}

static cli_exit take_random(cli_options *options, const char *argument, cli_error *error) {
    options->random = true;
    return take_count("--random", argument, &options->generated_count, error);
}

static cli_exit take_iota(cli_options *options, const char *argument, cli_error *error) {
    options->iota = true;
    return take_count("--iota", argument, &options->generated_count, error);
}

static cli_exit take_seed(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--seed", argument, &options->seed, error);
}

static cli_exit take_offset(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--offset", argument, &options->offset, error);
}

static cli_exit take_limit(cli_options *options, const char *argument, cli_error *error) {
    return take_count("--count", argument, &options->count, error);
}

static cli_exit take_column(cli_options *options, const char *argument, cli_error *error) {
    cli_exit code = take_count("--column", argument, &options->column, error);
    if (code == CLI_OK && options->column == 0)
        return cli_fail(error, CLI_USAGE, "--column: '%s': columns count from 1" SEE_HELP, argument);
    return code;
}

#define FLAG(field)                                                                                                    \
    static cli_exit take_##field(cli_options *options, const char *argument, cli_error *error) {                       \
        (void)argument, (void)error;                                                                                   \
        options->field = true;                                                                                         \
        return CLI_OK;                                                                                                 \
    }
FLAG(stats)
FLAG(json)
FLAG(quiet)
FLAG(help)
FLAG(version)

#define R   CLI_SCOPE_REDUCE
#define RI  (CLI_SCOPE_REDUCE | CLI_SCOPE_INFO)
#define RID (CLI_SCOPE_REDUCE | CLI_SCOPE_INFO | CLI_SCOPE_DOCTOR)

#define WHAT   "What to reduce with"
#define HOW    "How (left out: chosen for you)"
#define WHERE  "Where"
#define INPUT  "Input"
#define OUTPUT "Output"

const cli_option cli_option_table[] = {
    {"op", NULL, "OP", 'o', RI, WHAT, take_op, "operator:" JR_OPS(WORD) "; left out: sum"},
    {"type", NULL, "TYPE", 't', RI, WHAT, take_type,
     "element type:" JR_TYPES(WORD) "\nleft out: what the .npy says; text: i64 when all numbers are whole\nand fit, "
                                    "u64 when only that holds them, else f64"},
    {"initial", NULL, "VALUE", 0, R, WHAT, take_initial, "a value folded in once; what an empty input gives"},
    {"algorithm", NULL, "NAME", 'a', RI, HOW, take_algorithm, "auto" JR_ALGORITHMS(WORD)},
    {"uf", "unroll", "N", 'u', RI, HOW, take_uf, "unroll factor: elements a thread has in flight, 1 to 16"},
    {"block", NULL, "N", 'b', RI, HOW, take_block, "threads in a block: a multiple of 32 from 32 to 1024"},
    {"grid", NULL, "N", 'g', RI, HOW, take_grid, "blocks: 1 to 65535"},
    {"shared", NULL, "KIND", 0, RI, HOW, take_shared, "shared memory: auto static dynamic"},
    {"device", NULL, "DEVICE", 'd', RID, WHERE, take_device,
     "auto: the GPU, or the simulator where there is no NVIDIA driver;\ncuda or cuda:N: that GPU or none; sim: the PTX "
     "simulator"},
    {"nvrtc", NULL, "PATH", 0, RID, WHERE, take_nvrtc, "the NVRTC library, instead of searching for one"},
    {"cache-dir", NULL, "DIR", 0, RID, WHERE, take_cache_dir, "folder of the cache of compiled kernels"},
    {"no-cache", NULL, NULL, 0, RID, WHERE, take_no_cache, "keep no compiled kernels on disk"},
    {"format", NULL, "FORMAT", 'f', R, INPUT, take_format,
     "auto npy raw text; auto: .npy by its first bytes, else text"},
    {"raw", NULL, NULL, 0, R, INPUT, take_raw, "the same as --format raw; needs --type"},
    {"column", NULL, "K", 'k', R, INPUT, take_column,
     "of a text, only field K of each line (CSV); a header line is fine"},
    {"offset", NULL, "N", 0, R, INPUT, take_offset, "leave out the first N elements"},
    {"count", NULL, "N", 'n', R, INPUT, take_limit, "take N elements, no more"},
    {"random", NULL, "N", 0, R, INPUT, take_random,
     "N random elements instead of a file (f32 unless --type says else):\nfloats in [-1, 1), signed whole numbers in "
     "[-2^20, 2^20), unsigned\nones in [0, 2^20); the same ones on every machine"},
    {"seed", NULL, "S", 0, R, INPUT, take_seed, "another set of random elements; left out: 0"},
    {"iota", NULL, "N", 0, R, INPUT, take_iota, "the numbers 0 to N-1 instead of a file (i64 unless --type says else)"},
    {"stats", NULL, NULL, 's', R, OUTPUT, take_stats, "where the kernel came from, and times, on standard error"},
    {"json", NULL, NULL, 'j', R, OUTPUT, take_json, "one JSON object instead of the value alone"},
    {"quiet", NULL, NULL, 'q', RID, OUTPUT, take_quiet, "no line about falling back to the simulator"},
    {"help", NULL, NULL, 'h', CLI_SCOPE_ALL, OUTPUT, take_help, "this text"},
    {"version", NULL, NULL, 'V', CLI_SCOPE_ALL, OUTPUT, take_version, "the version"},
};
const int cli_option_count = sizeof cli_option_table / sizeof *cli_option_table;
