/* The command line as one struct, and the table of options that parsing and help both walk. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>

#include "base/cli_error.h"
#include "base/cli_formula.h"
#include "base/shape.h"
#include "base/sizes.h"
#include "base/structure.h"
#include "base/suggest.h"
#include "base/table_form.h"

#define CLI_DEVICES              " auto cuda cuda:N cuda:N,N cuda:all sim sim#N sim:N sim:N,N sim:all"
#define WORD(name, number, text) " " text

/* In the order of --format's words; then what no word says: .npy by its first bytes, else raw; or else text, where the
 * bytes are numbers in lines, else raw. */
typedef enum cli_format {
    CLI_FORMAT_AUTO = 0,
    CLI_FORMAT_NPY,
    CLI_FORMAT_RAW,
    CLI_FORMAT_TEXT,
    CLI_FORMAT_BINARY,
    CLI_FORMAT_KEYS
} cli_format;

/* Rows that the files of the table may have: each file holds its count against them when it is compiled. */
enum {
    CLI_WORK_OPTIONS_MAX = 128,
    CLI_OUTPUT_OPTIONS_MAX = 64,
    CLI_OPTIONS_MAX = CLI_WORK_OPTIONS_MAX + CLI_OUTPUT_OPTIONS_MAX
};

/* --param: a named number of expressions. */
typedef struct cli_parameter {
    char name[32];
    jr_value value;
} cli_parameter;

enum { CLI_TYPES_MAX = 16, CLI_PEERS_MAX = 8, CLI_STATES_MAX = 256 };
enum { CLI_DEFINES_MAX = 128, CLI_ARGUMENTS_MAX = 128, CLI_FOLDERS_MAX = 32 };

typedef struct cli_state_file cli_state_file;

/* Kept states. */
typedef struct cli_states {
    const char *save; /* file; NULL: not given */
    const char *add[CLI_STATES_MAX];
    int add_count;
    cli_state_file *first; /* add[0], once it has been read: a pipe is read once */
} cli_states;

/* In the order of --mode's words. */
typedef enum cli_bench_mode { CLI_BENCH_LAUNCHES = 0, CLI_BENCH_GRAPH, CLI_BENCH_LATENCY } cli_bench_mode;

/* The options of `bench`; compare and tune share those about pictures. */
typedef struct cli_bench_options {
    cli_bench_mode mode;
    bool warm, hostile, misaligned, one_pass;
    bool every;       /* --algorithm all */
    bool given;       /* of elements that the command line gives: FILE, --random, --iota */
    int rounds;       /* 0: not given */
    bool plots;       /* --plot */
    const char *plot; /* its file; NULL: the terminal */
    const char *peers[CLI_PEERS_MAX];
    int peer_count;
} cli_bench_options;

/* The options of `run`; texts are borrowed from the command line. */
/* --tune: a constant, its values, and the first of them. */
typedef struct cli_tuned {
    char name[64], first[24];
    const char *values; /* borrowed */
} cli_tuned;

typedef struct cli_run_options {
    const char *entry;                 /* NULL: the only kernel that there is */
    const char *grid, *block, *shared; /* formulas; NULL: not given */
    bool cooperative;                  /* these three of --launch */
    unsigned cluster[3];               /* 0: what the kernel declares */
    int priority;
    cli_define defines[CLI_DEFINES_MAX];
    size_t define_count;
    const char *folders[CLI_FOLDERS_MAX]; /* of --include, in their order */
    size_t folder_count;
    const char *nvrtc_options[CLI_ARGUMENTS_MAX]; /* of --nvrtc-option, in order */
    size_t nvrtc_option_count;
    const char *arguments[CLI_ARGUMENTS_MAX]; /* of --arg, in order */
    size_t argument_count;
    const char *outputs[CLI_ARGUMENTS_MAX]; /* of --output, in order */
    size_t output_count;
    bool time, resources, ptx, sass, kernels; /* of --show */
    bool watch;
    cli_tuned tuned[JR_TUNABLE_PARAMETERS_MAX];
    size_t tuned_count;
    double tolerance; /* of floats that settings write */
} cli_run_options;

typedef struct cli_options {
    jr_spec spec; /* what options say by themselves: type is the first input's; a cli_request holds the whole */
    jr_op ops[JR_OPS_MAX];
    int op_count;            /* at least 1 */
    bool ops_done;           /* --op has ended its list by count */
    const char *op_calls;    /* --op 'sum(price),max(qty)'; NULL: operators alone */
    const char *column_list; /* --column as it was typed; NULL: not given */
    bool many;               /* each column, or each call of --op, is a work of its own, of a table that is read once */
    bool counts;             /* --op is count alone: the operator is count_nonzero of a --map that is 1 */
    bool op_open;            /* it was not given: sum stands for it */
    jr_type types[CLI_TYPES_MAX];
    int type_count;  /* 0: not given */
    cli_sizes sizes; /* count 0: not given */
    cli_bench_options bench;
    cli_states states;
    cli_run_options run;
    double limit_s; /* of tune; 0: not given */
    cli_parameter parameters[JR_PARAMETERS_MAX];
    int parameter_count;
    cli_structure structure;   /* text NULL: not given */
    const char *initial;       /* text of --initial, parsed when the result's type is known */
    const char *device;        /* "auto", "cuda", "cuda:N", "sim"; a group: "cuda:all", "sim:4" */
    const char *architectures; /* of pack; NULL: not given */
    bool plain;                /* for pack: no compression */
    cli_format format;
    bool reads_format; /* --format has said it */
    bool random, iota; /* generated instead of read */
    uint64_t generated_count, seed;
    uint64_t segment_length; /* of --segments N; 0: not given */
    const char *offsets;     /* of --segments FILE; NULL: not given */
    const char *keys;        /* file of --keys; NULL: not given */
    const char *group_by;    /* column or file of --group-by; NULL: not given */
    jr_type key_type;        /* JR_TYPE_NONE: not given, or text */
    bool nan_keys;           /* of --group-by and --keys: NaNs are one */
    bool text_keys;          /* --key-type text */
    unsigned empty_groups;   /* 1: results of no elements are dropped with their keys */
    int axes[JR_DIMENSIONS_MAX];
    int axis_count;       /* 0: not given */
    cli_shape shape;      /* dimensions 0: not given */
    bool keep_dimensions; /* axes that are reduced stay in the shape of --output, with size 1 */
    bool scan;            /* of compare and tune: scans, not reductions */
    bool exclusive;       /* of scans */
    const char *output;   /* file of --output; NULL: not given */
    const char *output_keys;
    bool rounds; /* --round: floats are printed with `decimals` digits after the point */
    int decimals;
    const char *number_format; /* of --format: one conversion of printf for floats; NULL: not given */
    bool tabs, lines;          /* --output is .tsv: --csv with tabs; .txt: what standard output would have */
    uint64_t offset, count;    /* elements of the input to skip, to take; count UINT64_MAX: all */
    const char *field;         /* of .npy files of structured types; NULL: not given */
    bool reads_words;          /* the words of a text are keys: they go into cli_input.keys */
    cli_table_form table;      /* of a text */
    bool stats, json, csv, quiet, help, version, mpi;
    struct cli_sink *sink;   /* takes the results, which then are not printed; NULL: they are */
    struct cli_named *named; /* columns that expressions name; from malloc; NULL: they name none */
    struct cli_wide *wide;   /* results in f64 for those that may wrap; NULL: not collected */
    struct cli_segment_file
        *segment_file;       /* the file that gives the segments, for work that is done twice; NULL: it is done once */
    struct cli_ranks *ranks; /* of --mpi, once it has begun; NULL: this process alone */
    char **words;            /* the whole command line */
    int word_count;
    char **files; /* inside it */
    int file_count;
    const char *more_files[JR_INPUTS_MAX]; /* of y, z and w at 1, 2 and 3; NULL: not given */
    bool given[CLI_OPTIONS_MAX];           /* row i of the table stood on the command line */
} cli_options;

/* Subcommands an option applies to. */
enum {
    CLI_SCOPE_REDUCE = 1,
    CLI_SCOPE_INFO = 2,
    CLI_SCOPE_DOCTOR = 4,
    CLI_SCOPE_COMPARE = 8,
    CLI_SCOPE_SCAN = 16,
    CLI_SCOPE_BENCH = 32,
    CLI_SCOPE_TUNE = 64,
    CLI_SCOPE_RUN = 128,
    CLI_SCOPE_PACK = 256,
    CLI_SCOPE_TRACE = 512,
    CLI_SCOPE_REPLAY = 1024,
    CLI_SCOPE_APPLY = 2048,
    CLI_SCOPE_ALL = 4095
};

typedef struct cli_option cli_option;

/* Takes a row's argument (NULL for an option without one) into *options. */
typedef cli_exit cli_take(const cli_option *option, cli_options *options, const char *argument, cli_error *error);

/* Whole numbers: multiples of step. */
typedef struct cli_range {
    unsigned least, most, step;
} cli_range;

struct cli_option {
    const char *name;
    const char *argument; /* its name in the help, or NULL for an option without one */
    char letter;          /* short form, or 0 */
    int scope;
    const char *heading; /* in the help, of the group that it begins; NULL: of the row before */
    cli_take *take;
    bool optional;        /* the argument may be omitted */
    bool again;           /* it may be given again: a list that grows */
    size_t member;        /* that take writes, where it is one: its offset in cli_options */
    size_t formula;       /* where `run` keeps the argument, which is a formula there and not for take; 0: nowhere */
    const char *words;    /* that it takes, parted by blanks: for cli_take_word and for completion */
    const char *brief;    /* on the page of help, where only some stand; NULL: not there */
    const char *not_zero; /* of a count: why it is not 0; NULL: it may be */
    cli_range range;      /* of a number */
    const char *help;     /* lines are parted by '\n' */
};

/* The table of options, in two files; the order of the rows is that of the help. */
extern const cli_option cli_work_options[], cli_output_options[];
extern const int cli_work_option_count, cli_output_option_count;

static inline int cli_option_count(void) {
    return cli_work_option_count + cli_output_option_count;
}

/* A row of the table; row is from 0 to cli_option_count() - 1. */
static inline const cli_option *cli_option_row(int row) {
    return row < cli_work_option_count ? &cli_work_options[row] : &cli_output_options[row - cli_work_option_count];
}

/* "inclusive" or "exclusive" of --scan; NULL without it. */
const char *cli_scan_name(const cli_options *options);

/* How many inputs the command line names: 1, and those of -y, -z and -w, or the columns of a text. */
int cli_options_input_count(const cli_options *options);

/* Does the command line divide the input: along axes, in segments, by runs of keys? */
bool cli_options_divide(const cli_options *options);

/* Are whole numbers without a type, of a text or generated, f64? Where an expression divides, and the operators and
 * expressions take floats. */
bool cli_options_read_floats(const cli_options *options);

/* Whether --where has the word x. */
bool cli_options_name_x(const cli_options *options);

/* The type that the command line gives an input (0: x); JR_TYPE_NONE when it leaves that open. */
jr_type cli_options_type(const cli_options *options, int input);

#endif
