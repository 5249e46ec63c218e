/* The options of measuring, of running kernels and of what is written: the rows that follow those of option_table.c. */
#include "option_row.h"

const cli_option cli_output_options[] = {
    OPTION("sizes", 0, "N,FROM..TO*F", BENCH | TUNE,
           "numbers of elements (of each device); FROM..TO*F: each F times the previous one; default of F: 2",
           .take = cli_take_sizes, .heading = "Measuring"),
    OPTION("mode", 0, "MODE", BENCH,
           "what is timed: launches back to back; graph: runs from a CUDA graph; latency: host time from a call until "
           "its value is in host memory, as always for groups of devices; default: launches",
           INTO(take_word, bench.mode), .words = "launches graph latency"),
    OPTION("data", 0, "WORD,...", BENCH,
           "the elements: cold: buffers far larger than the caches; warm: the same buffer every time; hostile: floats "
           "of all exponents and both signs, which are hard for exact sums, instead of floats in [0, 1); misaligned: "
           "arrays begin one element after an aligned address; default: cold",
           .take = cli_take_bench_data, .words = "cold warm hostile misaligned"),
    OPTION("one-pass", 0, NULL, BENCH, "run the operators of --op in one pass; default: one after another",
           INTO(take_flag, bench.one_pass)),
    OPTION("rounds", 0, "N", BENCH, "number of samples of each contestant; the contestants take turns",
           INTO(take_int, bench.rounds), .range = {1, 100000, 1}),
    OPTION(
        "peer", 0, "FILE.so", BENCH,
        "another library to measure, as tools/bench/peer_cub.cu (for a group of devices: peer_cub_nccl.cu); repeatable",
        .take = cli_take_peer, .again = true),
    OPTION("limit", 0, "SECONDS", TUNE | LAUNCH,
           "stop tuning after about this time, which is divided between what is left to tune; default: no limit"
           "\nFor run and replay: needs --tune",
           INTO(take_limit, limit_s)),
    OPTION("entry", 0, "NAME", RUN,
           "the kernel: the name of an extern \"C\" function, or a name expression as 'scale<float, 4>'; in PTX its "
           "name in "
           "that file; default: the only kernel",
           INTO(take_text, run.entry), .heading = "Running kernels"),
    OPTION("launch", 0, "WORD,...", RUN,
           "how it is launched: cooperative: all blocks at the same time, for grid.sync(); cluster=X[xY[xZ]]: blocks "
           "per cluster; priority=N: lower is more urgent",
           .take = cli_take_launch),
    OPTION("define", 'D', "NAME[=V]", LAUNCH,
           "#define NAME V before the source; default of V: 1; repeatable\nFor replay: replaces the captured value",
           .take = cli_take_define, .again = true),
    OPTION("include", 'I', "FOLDER", RUN,
           "a folder that #include searches after the folder of the source and before the CUDA toolkit's headers; "
           "repeatable",
           .take = cli_take_include, .again = true),
    OPTION("nvrtc-option", 0, "OPTION", RUN,
           "an option for NVRTC, as --nvrtc-option=-std=c++20 or --nvrtc-option=--maxrregcount=32; options that read "
           "or write files, or choose the architecture, are refused; repeatable",
           .take = cli_take_nvrtc_option, .again = true),
    OPTION(
        "arg", 0, "ARGUMENT", RUN,
        "the next argument of the kernel. FILE.npy: a pointer to its array; inout:FILE.npy: an array that is "
        "written back; "
        "out:T:COUNT: an array of zeros that is written back. VALUE: a number, 1000, which takes the parameter's type; "
        "T:VALUE: one of type T, f32:2, or a formula, "
        "i32:N; bytes:HEX: the "
        "bytes of a struct in memory",
        .take = cli_take_argument, .again = true),
    OPTION(
        "show", 0, "WORD,...", LAUNCH,
        "print about the kernel: time: the median time of further launches, measured with events"
        "\nFor run: also resources: registers, shared memory and occupancy; ptx: its PTX; sass: its machine code, by "
        "nvdisasm of the CUDA toolkit; kernels: the kernels of the file, with the PTX types of their parameters",
        .take = cli_take_show, .words = "time resources ptx sass kernels"),
    OPTION("watch", 0, NULL, RUN,
           "run again whenever the file, or a header that it includes, changes, until Ctrl-C; what does not compile is "
           "reported, and a next change is waited for",
           INTO(take_flag, run.watch)),
    OPTION(
        "tune", 0, "NAME=VALUES", LAUNCH,
        "find the fastest value of a --define: '1,2,4', '1..16' or '32..1024*2'; repeatable. Formulas know it; the "
        "default of "
        "--block is BLOCK if that is tuned. Settings that fault or hang are skipped"
        "\nFor run: the outputs of each setting are compared with those of the first one (that of --define, if given)"
        "\nFor replay: the outputs of each setting are compared with the captured ones",
        .take = cli_take_tuned, .again = true),
    OPTION("tolerance", 0, "R", RUN,
           "with --tune: relative difference allowed between the floats that two settings write",
           INTO(take_number, run.tolerance)),
    OPTION("csv", 0, NULL, TABLES | BENCH, "comma-separated values below a line of names", INTO(take_flag, csv),
           .heading = "Output"),
    OPTION("plot", 0, "[FILE]", BENCH | TUNE | CLI_SCOPE_COMPARE,
           "draw the results below their table, in the terminal, or into FILE.svg or FILE.png by gnuplot"
           "\nFor compare: with --accuracy exact it draws how far each algorithm is off",
           .take = cli_take_plot, .optional = true),
    OPTION(
        "output", 'o', "FILE", TABLES | BENCH | TUNE | RUN | PACK | CLI_SCOPE_INFO | CLI_SCOPE_DOCTOR,
        "write to FILE, whole or not at all; its name chooses the form: .csv, .tsv, .json, .txt (the lines of "
        "standard output); -: "
        "standard output\nFor reduce, scan and run: also .npy, which a name without an ending is, too; other endings "
        "are "
        "refused"
        "\nFor run: FILE takes the first array that is written back, K=FILE that of the K-th --arg; .npy, or text: one "
        "line per element, or per row\nFor pack: FILE is the pack",
        .take = cli_take_output, .again = true, .brief = "a file; its name says how: .npy .csv .tsv .json .txt"),
    OPTION("round", 0, "N", RUNS | APPLY,
           "print floats rounded to N digits after the point, 0 to 15, without zeros at the end",
           .take = cli_take_round, .range = {0, 15, 1}),
    OPTION("output-keys", 0, "FILE.npy", REDUCE,
           "for --keys and --group-by with --output: write the keys of the results to this file",
           INTO(take_text, output_keys)),
    OPTION("keepdims", 0, NULL, REDUCE, "the axes of --axis stay in the shape of --output, with size 1",
           INTO(take_flag, keep_dimensions)),
    OPTION("stats", 's', NULL, TABLES | RUN,
           "print the kernel's origin, why it was compiled, and the times to standard error"
           "\nFor compare: one line per algorithm",
           INTO(take_flag, stats), .brief = "print the kernel's origin and the times"),
    OPTION("save-state", 0, "FILE", REDUCE,
           "write the state of all elements so far, before initial value and --finish, to FILE, whole or not at all. "
           "With --accuracy exact: an exact sum, the same bytes for the same elements on every machine and in all "
           "versions; else only this version reads it",
           INTO(take_text, states.save)),
    OPTION("add-state", 0, "FILE", REDUCE,
           "merge the state that --save-state wrote with that of the input, before it; repeatable. The state gives "
           "the defaults of --op, --type, --nan and --accuracy exact. To merge states alone, use /dev/null as the "
           "input",
           .take = cli_take_state, .again = true),
    OPTION("json", 'j', NULL, DATA | BENCH | TUNE | CLI_SCOPE_INFO | CLI_SCOPE_DOCTOR, "print one JSON object",
           INTO(take_flag, json), .brief = "print one JSON object instead of the value alone"),
    OPTION("quiet", 'q', NULL, CLI_SCOPE_ALL,
           "no note when the simulator is used in place of a GPU or a text has no values, no notes of --stats, and no "
           "progress bar, which a "
           "terminal shows for long work (without colours if TERM is dumb or NO_COLOR is set)",
           INTO(take_flag, quiet)),
    OPTION("help", 'h', NULL, CLI_SCOPE_ALL, "print a page of help; after a command, the help of that command",
           INTO(take_flag, help)),
    OPTION("version", 'V', NULL, CLI_SCOPE_ALL, "print the version", INTO(take_flag, version)),
};
const int cli_output_option_count = sizeof cli_output_options / sizeof *cli_output_options;
_Static_assert(sizeof cli_output_options / sizeof *cli_output_options <= CLI_OUTPUT_OPTIONS_MAX,
               "raise CLI_OUTPUT_OPTIONS_MAX");
