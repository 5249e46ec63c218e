/* The options of what is reduced and read: one row each. To add one whose argument is a plain number or word is to add
 * its row. */
#include "number.h"
#include "option_row.h"

const cli_option cli_work_options[] = {
    OPTION(
        "op", 'p', "OP[,OP...]", WORK,
        "operator:" OP_NAMES "; left out: sum\nSeveral, as min,max,mean, go over the data once and print a value a "
        "line; minmax is min,max; count, last, is --kept. argmin and argmax print the index, from 0; argmin,min both.",
        .take = cli_take_ops, .again = true, .heading = "What to reduce with", .words = OP_NAMES " minmax count",
        .brief = "operator: sum prod min max mean var std argmin argmax any all count_nonzero, ...; several: "
                 "min,max,mean"),
    OPTION("type", 't', "T[,T...]", WORK | CLI_SCOPE_REPLAY,
           "element type:" TYPE_NAMES ", or C's or NumPy's name of one: int, uint8, <f8"
           "\nleft out: what the .npy says; text: i64 when all numbers are whole and fit, u64 when only that holds "
           "them, else f64, as where an expression divides. A list: of x, y, z, w; the last one counts for the rest. "
           "Of replay: as "
           "what the buffers are compared; left out: bytes.",
           .take = cli_take_types, .words = TYPE_NAMES, .brief = "element type: f32 f64 i32 i64 u8 bool, ..."),
    OPTION("accumulate", 0, "T", WORK,
           "type in which sums, products, means and norms accumulate: i32 u32 i64 u64 f32 f64",
           INTO(take_type, spec.accumulate), .words = "i32 u32 i64 u64 f32 f64"),
    OPTION("result", 0, "T", WORK,
           "type of the result; left out: the operator's, or f64 where --finish makes a float of an integer",
           INTO(take_type, spec.result), .words = TYPE_NAMES),
    OPTION("initial", 0, "VALUE", DATA | TUNE, "a value folded in once; what an empty input gives",
           INTO(take_text, initial)),
    OPTION("nan", 0, "POLICY", WORK, "propagate: a NaN makes the result NaN; ignore: NaNs are left out",
           INTO(take_word, spec.nan), .words = "propagate ignore"),
    OPTION(
        "exact", 0, NULL, WORK,
        "of sum, mean, dot, sumsq, norm1, norm2, var and std: as by exact arithmetic, rounded once, so that every "
        "algorithm and device gives the same bits; of compare: how many units in the last place each plain result is "
        "off",
        INTO(take_int_flag, spec.accuracy)),
    OPTION("accuracy", 0, "WORD", WORK,
           "fast; exact: as --exact; reproducible: of any operator, in an order that the count alone decides, so that "
           "every algorithm, tuning and device gives the same bits",
           INTO(take_word, spec.accuracy), .words = "fast exact reproducible"),
    OPTION("ddof", 0, "D", WORK, "of var and std: the divisor is the count less D; left out: 0",
           INTO(take_number, spec.ddof)),
    OPTION("scan", 0, NULL, SCANS,
           "of compare, tune, trace and pack: scans, not reductions; compare holds all results against those of the "
           "first algorithm",
           INTO(take_flag, scan)),
    OPTION("exclusive", 0, NULL, CLI_SCOPE_SCAN | SCANS,
           "of scans: of all elements before each, not up to it; the first result is the initial value, or that of "
           "nothing",
           INTO(take_flag, exclusive)),
    OPTION("map", 0, "EXPR", WORK,
           "what the operator is given of each element x (and of y, z, w; i is the index): 'x * x', 'fabs(x - y)'",
           INTO(take_text, spec.map), .brief = "what the operator is given of each element x: 'x * x'",
           .heading = "Expressions (C, one line each; the manual is include/jitreduce/reduce.h)"),
    OPTION("map-type", 0, "T", WORK,
           "type of --map's value; left out: that of the elements, or f64 where a float comes out of integers",
           INTO(take_type, spec.map_type), .words = TYPE_NAMES),
    OPTION("where", 0, "EXPR", WORK, "only elements for which this holds count: 'x > 0 && i % 2 == 0'",
           INTO(take_text, spec.where), .brief = "only elements for which this holds count: 'x > 0'"),
    OPTION("finish", 0, "EXPR", WORK, "what becomes of the result a; n is the count of elements: 'sqrt(a / n)'",
           INTO(take_text, spec.finish)),
    OPTION("combine", 0, "EXPR", WORK,
           "an operator of your own over a and b; must be associative: 'a < b ? a : b'; needs --identity",
           INTO(take_text, spec.combine)),
    OPTION("identity", 0, "EXPR", WORK, "what --combine leaves alone: 'INFINITY'", INTO(take_text, spec.identity)),
    OPTION("commutative", 0, NULL, WORK,
           "--combine may swap a and b: faster; left out: the order of the elements is kept",
           INTO(take_int_flag, spec.commutative)),
    OPTION("param", 0, "NAME=V[:T]", WORK,
           "a number that expressions know by name; may be given again. T: i32 u32 i64 u64 f32 f64; left out: i64 when "
           "V is whole, else f64",
           .take = cli_take_param, .again = true),
    OPTION("struct", 0, "TEXT", SPEC,
           "a struct as the type of x, raw: 'struct pair { float key; int id; };'; functions for expressions may "
           "follow it",
           .take = cli_take_struct),
    OPTION("struct-bytes", 0, "N", SPEC, "sizeof the struct, where its members are not plain numbers",
           INTO(take_size, structure.bytes), .range = {1, JR_STRUCT_BYTES_MAX, 1}),
    OPTION("struct-alignment", 0, "N", SPEC, "and its alignment", INTO(take_size, structure.alignment),
           .range = {1, 16, 1}),
    OPTION("algorithm", 'a', "NAME", PLANS | CLI_SCOPE_SCAN,
           "auto" ALGORITHM_NAMES "; of scan: auto single_pass one_block bulk_copy" JR_SCAN_ALGORITHMS(WORD),
           .take = cli_take_algorithm, .words = "auto" ALGORITHM_NAMES JR_SCAN_ALGORITHMS(WORD),
           .heading = "How (left out: chosen for you)"),
    OPTION("uf", 'u', "N", SPEC,
           "unroll factor: loads a thread has under way at once, 1 to " NUMBER_TEXT(JR_UNROLL_MAX),
           INTO(take_int, spec.unroll), .alias = "unroll", .range = {1, JR_UNROLL_MAX, 1}),
    OPTION("block", 'b', "N", SPEC | LAUNCH,
           "threads in a block: a multiple of " NUMBER_TEXT(JR_BLOCK_STEP) " from " NUMBER_TEXT(
               JR_BLOCK_STEP) " to " NUMBER_TEXT(JR_BLOCK_MAX) ". Of run: X[,Y[,Z]], formulas; left out: 256. Of "
                                                               "replay: likewise; left out: the "
                                                               "captured one",
           INTO(take_int, spec.block), .range = {JR_BLOCK_STEP, JR_BLOCK_MAX, JR_BLOCK_STEP}, OR_FORMULA(block)),
    OPTION("grid", 'g', "N", SPEC | LAUNCH,
           "blocks: 1 to " NUMBER_TEXT(JR_GRID_MAX) ". Of run: X[,Y[,Z]], formulas of numbers, --define and BLOCK "
                                                    "(BLOCK_X, BLOCK_Y, BLOCK_Z: the block's): 'ceil(N/BLOCK)'",
           INTO(take_int, spec.grid), .range = {1, JR_GRID_MAX, 1}, OR_FORMULA(grid)),
    OPTION("shared", 0, "KIND", SPEC | LAUNCH,
           "shared memory: auto static dynamic. Of run: bytes of a block that the launch brings, a formula",
           INTO(take_word, spec.shared), .words = "auto static dynamic", OR_FORMULA(shared)),
    OPTION("max-launch-ms", 0, "MS", TIMED,
           "launches of about this long at most, and more of them: for a GPU that drives a display",
           INTO(take_launch_ms, spec.max_launch_ms)),
    OPTION(
        "device", 'd', "DEVICE", CLI_SCOPE_ALL,
        "auto: the GPU, or the simulator where there is no NVIDIA driver; cuda or cuda:N: that GPU or none; sim: the "
        "PTX simulator. Several together (of reduce, scan, bench): cuda:all, cuda:0,2: these GPUs; sim:N: N "
        "simulated devices (sim#N: number N of JRSIM_DEVICES)",
        .take = cli_take_device, .words = "auto cuda sim", .heading = "Where",
        .brief = "auto, cuda, cuda:N, cuda:all, or sim: the simulator"),
    OPTION(
        "mpi", 0, NULL, REDUCE | CLI_SCOPE_SCAN,
        "the ranks that mpirun has started share the work, each with --device of its own (auto, cuda: the GPUs of its "
        "host in turn); each reads its share of the files, the first one prints. Of scan: needs --output FILE.npy",
        INTO(take_flag, mpi)),
    OPTION("device-bytes", 0, "N", REDUCE | CLI_SCOPE_SCAN,
           "device memory for data and results; more than that goes through it in parts; left out: 192 MiB, for many "
           "results what is free",
           INTO(take_count, spec.device_bytes)),
    OPTION("nvrtc", 0, "PATH", CLI_SCOPE_ALL, "the NVRTC library, instead of searching for one",
           INTO(take_text, nvrtc)),
    OPTION("cache-dir", 0, "DIR", CLI_SCOPE_ALL, "folder of the cache of compiled kernels", INTO(take_text, cache_dir)),
    OPTION("no-cache", 0, NULL, CLI_SCOPE_ALL, "keep no compiled kernels on disk", INTO(take_no_cache, cache_dir)),
    OPTION("wisdom", 0, "FILE", CLI_SCOPE_ALL, "file of stored tunings; empty: none are used", INTO(take_text, wisdom)),
    OPTION("packs", 0, "LIST", CLI_SCOPE_ALL,
           "packs of compiled kernels (jitreduce pack): files and folders, parted by ':'; empty: none",
           INTO(take_text, packs)),
    OPTION("arch", 0, "A[,A...]", PACK,
           "of pack: architectures to compile for: sm_90 (with PTX), compute_80 (PTX alone), sim",
           INTO(take_text, architectures)),
    OPTION("plain", 0, NULL, PACK, "of pack: not compressed, so that no zstd is needed to read it",
           INTO(take_flag, plain)),
    OPTION("y", 'y', "FILE", DATA,
           "a second array, as long as the first and read beside it: y of expressions and of --op dot",
           INTO(take_text, more_files[1]), .heading = "Input"),
    OPTION("z", 'z', "FILE", DATA, "a third one", INTO(take_text, more_files[2])),
    OPTION("w", 'w', "FILE", DATA, "a fourth one", INTO(take_text, more_files[3])),
    OPTION("format", 'f', "FORMAT", DATA, "auto npy raw text; auto: .npy by its first bytes, else text",
           INTO(take_word, format), .words = "auto npy raw text", .brief = "auto npy raw text; raw needs --type"),
    OPTION("raw", 0, NULL, DATA, "the same as --format raw; needs --type", INTO(take_raw, format)),
    OPTION(
        "column", 'k', "K[,K...]", DATA,
        "of a text, only column K of each line (CSV), by its number from 1 or its name in the first line; several: x, "
        "y, z, w. A name with a comma, or that is a number, stands in double quotes: '\"a, b\"'",
        .take = cli_take_columns, .again = true, .brief = "columns of a table (CSV): price, or 3,4 as x and y"),
    OPTION(
        "delimiter", 0, "C", DATA,
        "what parts the columns: one character, tab or space; left out: the first of , ; tab that the first line has, "
        "else white space",
        .take = cli_take_delimiter, .words = "tab space"),
    OPTION("decimal", 0, "C", DATA, "what stands before the digits behind the point of a text's numbers: '.' or ','",
           .take = cli_take_decimal),
    OPTION("thousands", 0, "C", DATA,
           "what parts the digits of a text's numbers in groups: ',' reads 1,234,567; also '.', space, ' or _",
           .take = cli_take_thousands, .words = "space"),
    OPTION(
        "header", 0, "WORD", DATA,
        "of --column: whether the first line names the columns: yes, no, or auto, as it looks beside the second line "
        "(a word or a quoted number above a number; country,2020,2021; ,0,1,2). Left out: auto",
        .take = cli_take_header, .words = "auto yes no"),
    OPTION("comment", 0, "C", DATA, "of --column: lines that begin with this character are left out: '#'",
           .take = cli_take_comment),
    OPTION("skip-lines", 0, "N", DATA, "leave out the first N lines of a text, whatever they hold",
           INTO(take_count, table.skip_lines)),
    OPTION("na", 0, "WORD,...", DATA,
           "words of a text that stand for a missing value; an empty one, as in 'NA,-,', for an empty field",
           .take = cli_take_na, .again = true),
    OPTION(
        "missing", 0, "HOW", DATA,
        "what becomes of a missing value: nan; skip: its line is left out (without --column, the value). Left out: nan",
        .take = cli_take_missing, .words = "nan skip"),
    OPTION("field", 0, "NAME", DATA, "of an .npy of a structured type, this field; 'at.x': x of the field at",
           INTO(take_text, field)),
    OPTION("offset", 0, "N", DATA | BENCH, "leave out the first N elements", INTO(take_count, offset)),
    OPTION("count", 'n', "N", DATA, "take N elements, no more", INTO(take_count, count)),
    OPTION("random", 0, "N", DATA,
           "N random elements instead of a file (f32 unless --type says else): floats in [-1, 1) (f16 in steps of "
           "1/1024, bf16 of 1/128), i32 and i64 in [-2^20, 2^20), u32 and u64 in [0, 2^20), smaller integers and bool "
           "in their whole range; the same ones on every machine",
           INTO(take_random, generated_count), .brief = "N random elements instead of a file"),
    OPTION("seed", 0, "S", DATA, "another set of random elements; left out: 0", INTO(take_count, seed)),
    OPTION("iota", 0, "N", DATA,
           "the numbers 0 to N-1 instead of a file (i64 unless --type says else), where the type holds them exactly",
           INTO(take_iota, generated_count)),
    OPTION(
        "segment-length", 0, "N", RUNS | PACK,
        "reduce, or scan, every N elements by themselves: a line for each N, its values parted by blanks; of scan for "
        "each element. Of pack: kernels for that",
        INTO(take_count, segment_length), .not_zero = "a segment has 1 element or more"),
    OPTION("offsets", 0, "FILE", RUNS,
           "segments of any lengths: FILE, .npy or text, has the element at which each begins, and the end; scan takes "
           "what lies before the first and behind the last one for a segment, too",
           INTO(take_text, offsets)),
    OPTION("axis", 0, "K[,K...]", RUNS,
           "reduce, or scan, along axis K of an array, from 0; -1 is the last one: a line for each result, in C order. "
           "Several (of reduce): all of them at once; an index is in C order of these alone",
           .take = cli_take_axis, .brief = "along an axis of an array, from 0; -1 is the last"),
    OPTION("shape", 0, "N,N,...", RUNS, "the shape of that array; left out: what the .npy says, else one dimension",
           .take = cli_take_shape),
    OPTION("keys", 0, "FILE", CLI_SCOPE_SCAN,
           "scan by key: FILE, .npy or text, has as many keys as there are elements; a segment begins where a key "
           "differs from the one before it",
           INTO(take_text, keys)),
    OPTION("by-key", 0, "FILE", REDUCE,
           "reduce by key: FILE, .npy or text, has as many keys as there are elements; neighbours with equal keys are "
           "reduced together: a line for each such run, its key first",
           INTO(take_text, keys)),
    OPTION(
        "group-by", 0, "K", REDUCE,
        "reduce all elements with the same key, wherever they stand: a line for each key, which comes first, sorted by "
        "key. K: beside --column another column of that text, whose keys may be texts; else a FILE, .npy or text, with "
        "as many keys as there are elements. Inside a group the order is kept, and i counts from 0; --op argmin gives "
        "the index in the input",
        INTO(take_text, group_by), .brief = "a result for each key of a column, or of a file"),
    OPTION("nan-keys", 0, NULL, REDUCE, "of --group-by: keys that are nan are one group, the last one",
           INTO(take_flag, nan_keys)),
    OPTION("key-type", 0, "T", RUNS,
           "type of these keys; a FILE that is no .npy is then read raw. text, of a column of --group-by: keys as they "
           "are written; left out: numbers where all of them are and none has leading zeros, else text",
           .take = cli_take_key_type, .words = TYPE_NAMES " text"),
};
const int cli_work_option_count = sizeof cli_work_options / sizeof *cli_work_options;
_Static_assert(sizeof cli_work_options / sizeof *cli_work_options <= CLI_WORK_OPTIONS_MAX,
               "raise CLI_WORK_OPTIONS_MAX");
