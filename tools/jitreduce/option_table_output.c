/* The options of measuring, of running kernels and of what is written: the rows that follow those of option_table.c. */
#include "option_row.h"

const cli_option cli_output_options[] = {
    OPTION("sizes", 0, "N,FROM..TO*F", BENCH | TUNE,
           "counts of elements (of each device); FROM..TO*F: each F times the one before, left out: twice",
           .take = cli_take_sizes, .heading = "Measuring (of bench and tune)"),
    OPTION("warm", 0, NULL, BENCH, "the same data every time; left out: buffers far beyond the caches",
           INTO(take_flag, bench.warm)),
    OPTION("graph", 0, NULL, BENCH, "runs captured in a CUDA graph, not launched one by one",
           INTO(take_flag, bench.graph)),
    OPTION("latency", 0, NULL, BENCH, "host time from a call until its value is in host memory; always so of a group",
           INTO(take_flag, bench.latency)),
    OPTION("hostile", 0, NULL, BENCH,
           "floats of all exponents and both signs, for sums that are to be exact; left out: in [0, 1)",
           INTO(take_flag, bench.hostile)),
    OPTION("one-pass", 0, NULL, BENCH, "the operators of --op in one pass; left out: one by one",
           INTO(take_flag, bench.one_pass)),
    OPTION("rounds", 0, "N", BENCH, "samples of each contestant, which take turns", INTO(take_int, bench.rounds),
           .range = {1, 100000, 1}),
    OPTION("peer", 0, "FILE.so", BENCH,
           "a library to measure beside ours, as tools/bench/peer_cub.cu (of a group: peer_cub_nccl.cu); one or more",
           .take = cli_take_peer, .again = true),
    OPTION("limit", 0, "SECONDS", TUNE | LAUNCH,
           "of tune: about so long, shared out over what is left to tune; left out: as long as it takes. Of run and "
           "replay with --tune: likewise",
           INTO(take_limit, limit_s)),
    OPTION("entry", 0, "NAME", RUN,
           "the kernel: the name of an extern \"C\" function, or a name expression as 'scale<float, 4>'; of PTX as it "
           "stands there. Left out: the only one",
           INTO(take_text, run.entry), .heading = "Running kernels (of run)"),
    OPTION("define", 'D', "NAME[=V]", LAUNCH,
           "#define NAME V before the source; left out: 1. May be given again. Of replay: in place of the captured one",
           .take = cli_take_define, .again = true),
    OPTION(
        "include", 'I', "FOLDER", RUN,
        "where #include finds files, behind the folder of the source; the CUDA toolkit's headers are behind them. May "
        "be given again",
        .take = cli_take_include, .again = true),
    OPTION(
        "nvrtc-option", 0, "OPTION", RUN,
        "a further option of NVRTC's, as --nvrtc-option=-std=c++20 or --nvrtc-option=--maxrregcount=32; one that reads "
        "or writes files, or chooses the architecture, is refused. May be given again",
        .take = cli_take_nvrtc_option, .again = true),
    OPTION("arg", 0, "ARGUMENT", RUN,
           "the next argument of the kernel. FILE.npy: a pointer to its array; inout:FILE.npy: which is written back; "
           "out:T:COUNT: to zeros, likewise. T:VALUE: a number of a type, f32:2, or a formula, i32:N; bytes:HEX: a "
           "struct, as it lies in memory",
           .take = cli_take_argument, .again = true),
    OPTION("time", 0, NULL, LAUNCH, "the median time of further launches, by events", INTO(take_flag, run.time)),
    OPTION("tune", 0, "NAME=VALUES", LAUNCH,
           "finds the fastest value of a --define: '1,2,4', '1..16' or '32..1024*2'; may be given again. Formulas know "
           "it; "
           "--block left out is BLOCK where that is tuned. Each setting's outputs are held against those of the first "
           "one (of --define, where given), of replay against the captured ones; one that faults or hangs is left "
           "out",
           .take = cli_take_tuned, .again = true, .brief = "finds the fastest value of a --define: BLOCK=32..1024*2"),
    OPTION("restrict", 0, "FORMULA", LAUNCH,
           "with --tune: settings for which it is 0 are not tried, as 'BLOCK * UF <= 4096'; may be given again",
           .take = cli_take_restriction, .again = true),
    OPTION("tolerance", 0, "R", RUN,
           "with --tune: how far floats that settings write may differ, relative to their size",
           INTO(take_number, run.tolerance)),
    OPTION("info", 0, NULL, RUN, "registers, shared memory and occupancy of the kernel", INTO(take_flag, run.info)),
    OPTION("ptx", 0, NULL, RUN, "the PTX that the device is given", INTO(take_flag, run.ptx)),
    OPTION("sass", 0, NULL, RUN, "its machine code, by nvdisasm of the CUDA toolkit", INTO(take_flag, run.sass)),
    OPTION("csv", 0, NULL, TABLES | BENCH, "comma-separated values below a line of names", INTO(take_flag, csv),
           .heading = "Output"),
    OPTION("plot", 0, "[FILE]", BENCH | TUNE | CLI_SCOPE_COMPARE,
           "draw the results below their table, in the terminal; into FILE.svg or FILE.png by gnuplot. Of "
           "compare with --exact: how far each algorithm is off",
           .take = cli_take_plot, .optional = true),
    OPTION(
        "output", 'o', "FILE", TABLES | BENCH | TUNE | RUN | PACK | CLI_SCOPE_INFO | CLI_SCOPE_DOCTOR,
        "write to FILE, whole or not at all: .csv, .tsv, .json and .txt (the lines of standard output) by its name, "
        "else an "
        ".npy array (of reduce and scan); -: "
        "standard output. Of run: FILE: the first array that is written back; K=FILE: that of the K-th --arg. Of pack: "
        "the pack",
        .take = cli_take_output, .again = true, .brief = "write to a file: .npy, .csv, .tsv, .json, .txt by its name"),
    OPTION("output-keys", 0, "FILE.npy", REDUCE, "of --by-key with --output: the keys of the results, in another file",
           INTO(take_text, output_keys)),
    OPTION("keepdims", 0, NULL, REDUCE, "the axes of --axis stay in the shape of --output, with size 1",
           INTO(take_flag, keep_dimensions)),
    OPTION("stats", 's', NULL, RUNS, "where the kernel came from, and times, on standard error", INTO(take_flag, stats),
           .brief = "where the kernel came from, and times"),
    OPTION("save-state", 0, "FILE", REDUCE,
           "with --exact: write the exact sums of all that was added to FILE, whole or not at all: the same bytes for "
           "the same elements, on every machine",
           INTO(take_text, states.save)),
    OPTION("add-state", 0, "FILE", REDUCE,
           "with --exact: add what --save-state wrote to what is read; may be given again. --op and --type are then "
           "those of the state unless they are given. To add states alone: /dev/null as the input",
           .take = cli_take_state, .again = true),
    OPTION("kept", 0, NULL, REDUCE,
           "one more value behind the results: how many elements --where and --nan ignore did not leave out (min, max, "
           "argmin and argmax are given NaNs in any case, and prefer numbers)",
           INTO(take_int_flag, spec.kept)),
    OPTION("json", 'j', NULL, DATA | BENCH | TUNE | CLI_SCOPE_INFO | CLI_SCOPE_DOCTOR,
           "one JSON object instead of the value alone", INTO(take_flag, json),
           .brief = "one JSON object instead of the value alone"),
    OPTION("quiet", 'q', NULL, CLI_SCOPE_ALL, "no line about falling back to the simulator, no progress bar",
           INTO(take_flag, quiet)),
    OPTION("no-progress", 0, NULL, TABLES | BENCH | TUNE | PACK,
           "no progress bar, which a terminal has for what takes long (plain where TERM is dumb or NO_COLOR is set)",
           INTO(take_flag, no_progress)),
    OPTION("help", 'h', NULL, CLI_SCOPE_ALL, "help of a page, behind a command its own", INTO(take_flag, help)),
    OPTION("version", 'V', NULL, CLI_SCOPE_ALL, "the version", INTO(take_flag, version)),
};
const int cli_output_option_count = sizeof cli_output_options / sizeof *cli_output_options;
_Static_assert(sizeof cli_output_options / sizeof *cli_output_options <= CLI_OUTPUT_OPTIONS_MAX,
               "raise CLI_OUTPUT_OPTIONS_MAX");
