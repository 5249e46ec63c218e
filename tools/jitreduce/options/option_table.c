/* The options of what is reduced and read: one row each. To add one whose argument is a plain number or word is to add
 * its row. */
#include "base/number.h"
#include "option_row.h"
#include "ready_made.h"

const cli_option cli_work_options[] = {
    OPTION(
        "op", 'p', "OP[,OP...]", WORK,
        "operator:" OP_NAMES "; default: sum (see 'jitreduce help operators'). argmin and argmax print the index, "
        "which counts from 0"
        "\nFor reduce, compare, trace and info: a list, as min,max,mean or argmin,min, is computed in one pass and "
        "prints one value per line; minmax stands for min,max"
        "\nFor bench, tune and pack: a list is taken one operator after another"
        "\nFor reduce: count at the end of the list prints the number of elements that --where and --nan ignore kept "
        "(min, max, argmin and argmax count NaNs in any case, and prefer numbers); count alone needs no --column "
        "beside --group-by, and takes a column of texts. 'sum(price),max(qty * 2),count' has operators of different "
        "columns of a table",
        .take = cli_take_ops, .again = true, .heading = "Operator", .words = OP_NAMES " minmax count",
        .brief = "operator: sum prod min max mean var std argmin argmax any all count_nonzero, ...; several: "
                 "min,max,mean"),
    OPTION(
        "type", 't', "T[,T...]", WORK | CLI_SCOPE_REPLAY,
        "element type:" TYPE_NAMES ", or C's or NumPy's name of one: int, uint8, <f8"
        "\ndefault: the type of the .npy file. For text: i64 if all numbers are whole and fit, u64 if all are whole "
        "and only u64 holds "
        "them, else f64; f64 also if an expression divides"
        "\nFor reduce, scan, compare, trace and info: a list gives the types of x, y, z and w; the last one holds for "
        "the rest"
        "\nFor bench, tune and pack: a list is taken one type after another"
        "\nFor replay: a list gives the types of the buffers; default: bytes",
        .take = cli_take_types, .words = TYPE_NAMES, .brief = "element type: f32 f64 i32 i64 u8 bool, ..."),
    OPTION("accumulate", 0, "T", WORK,
           "type in which sums, products, means and norms accumulate: i32 u32 i64 u64 f32 f64",
           INTO(take_type, spec.accumulate), .words = "i32 u32 i64 u64 f32 f64"),
    OPTION("result", 0, "T", WORK,
           "type of the result; default: the operator's, or f64 if --finish turns an integer into a float",
           INTO(take_type, spec.result), .words = TYPE_NAMES),
    OPTION("initial", 0, "VALUE", DATA | TUNE,
           "a value that is combined with the elements once; it is the result of an empty input",
           INTO(take_text, initial)),
    OPTION("nan", 0, "POLICY", WORK, "propagate: a NaN makes the result NaN; ignore: NaNs are skipped",
           INTO(take_word, spec.nan), .words = "propagate ignore"),
    OPTION("accuracy", 0, "WORD", WORK,
           "fast; exact: for sum, mean, dot, sumsq, norm1, norm2, var and std, the result of exact arithmetic, rounded "
           "once; reproducible: any operator, combined in an order that depends on the count alone. Both give the same "
           "bits by every algorithm, tuning and device; default: fast\nFor compare: exact shows how many units in the "
           "last place each plain result is off",
           INTO(take_word, spec.accuracy), .words = "fast exact reproducible"),
    OPTION("ddof", 0, "D", WORK, "for var and std: the divisor is the count minus D; default: 0",
           INTO(take_number, spec.ddof)),
    OPTION("scan", 0, NULL, SCANS,
           "work on scans instead of reductions"
           "\nFor compare: every result is compared with that of the first algorithm",
           INTO(take_flag, scan)),
    OPTION("exclusive", 0, NULL, CLI_SCOPE_SCAN | SCANS,
           "for scans: each result covers the elements before its own; the first result is the initial value, or the "
           "operator's identity",
           INTO(take_flag, exclusive)),
    OPTION("map", 0, "EXPR", WORK,
           "an expression that replaces each element x before the operator (y, z, w: further inputs; i: the index): 'x "
           "* x', 'fabs(x - y)'",
           INTO(take_text, spec.map), .brief = "an expression that replaces each element x: 'x * x'",
           .heading = "Expressions (C, one line each; see 'jitreduce help expressions')"),
    OPTION("map-type", 0, "T", WORK,
           "type of --map's value; default: the type of the elements, or f64 if a float is computed from integers",
           INTO(take_type, spec.map_type), .words = TYPE_NAMES),
    OPTION("where", 0, "EXPR", WORK | LAUNCH,
           "use only the elements for which this holds: 'x > 0 && i % 2 == 0'"
           "\nFor run and replay: with --tune: try only the settings for which this holds: 'BLOCK * UF <= 4096'",
           INTO(take_text, spec.where), .brief = "use only the elements for which this holds: 'x > 0'"),
    OPTION("finish", 0, "EXPR", WORK,
           "an expression that replaces the result a (n: the number of all elements, selected or not; in a scan of "
           "those so far): 'sqrt(a / n)'",
           INTO(take_text, spec.finish)),
    OPTION("expr", 'e', "EXPR", APPLY,
           "the value of each element: of x, its index i in the row, the row's length n, and the result r of the row, "
           "of a list of operators r0, r1, ...: 'x / r'; or a name that has operators of its own: " CLI_READY_NAMES,
           INTO(take_text, spec.apply), .words = CLI_READY_NAMES),
    OPTION("combine", 0, "EXPR", WORK,
           "an operator of your own over a and b; must be associative: 'a < b ? a : b'; needs --identity",
           INTO(take_text, spec.combine)),
    OPTION("identity", 0, "EXPR", WORK,
           "the value that --combine leaves unchanged: 'INFINITY'; of a struct, a call of a function in --struct",
           INTO(take_text, spec.identity)),
    OPTION("commutative", 0, NULL, WORK,
           "--combine gives the same with a and b swapped, of equal values, too; this is faster; default: the order of "
           "the elements is kept",
           INTO(take_int_flag, spec.commutative)),
    OPTION("param", 0, "NAME=V[:T]", WORK,
           "a number that expressions know by name; repeatable. T: i32 u32 i64 u64 f32 f64; default: i64 if "
           "V is whole, else f64",
           .take = cli_take_param, .again = true),
    OPTION("struct", 0, "TEXT", SPEC,
           "a struct as the type of x, read raw: 'struct pair { float key; int id; };'; functions that expressions "
           "call may "
           "follow it",
           .take = cli_take_struct),
    OPTION("algorithm", 'a', "NAME", PLANS | CLI_SCOPE_SCAN,
           "the algorithm; default: auto"
           "\nFor bench: all measures each of them"
           "\nFor reduce, info, bench and trace: auto" ALGORITHM_NAMES
           "\nFor scan, and trace with --scan: auto single_pass one_block bulk_copy" JR_SCAN_ALGORITHMS(WORD),
           .take = cli_take_algorithm, .words = "auto all" ALGORITHM_NAMES JR_SCAN_ALGORITHMS(WORD),
           .heading = "Kernel (default: chosen for the device and the input)"),
    OPTION("uf", 'u', "N", SPEC,
           "unroll factor: how many loads each thread has in flight, 1 to " NUMBER_TEXT(JR_UNROLL_MAX),
           INTO(take_int, spec.unroll), .range = {1, JR_UNROLL_MAX, 1}),
    OPTION("block", 'b', "N", SPEC | LAUNCH,
           "threads per block: a multiple of " NUMBER_TEXT(JR_BLOCK_STEP) " from " NUMBER_TEXT(
               JR_BLOCK_STEP) " to " NUMBER_TEXT(JR_BLOCK_MAX) "\nFor run: X[,Y[,Z]], formulas; default: 256\n"
                                                               "For replay: X[,Y[,Z]], formulas; default: the "
                                                               "captured block",
           INTO(take_int, spec.block), .range = {JR_BLOCK_STEP, JR_BLOCK_MAX, JR_BLOCK_STEP}, OR_FORMULA(block)),
    OPTION("grid", 'g', "N", SPEC | LAUNCH,
           "number of blocks: 1 to " NUMBER_TEXT(
               JR_GRID_MAX) "\nFor run and replay: X[,Y[,Z]], formulas of numbers, --define and BLOCK "
                            "(BLOCK_X, BLOCK_Y, BLOCK_Z: the block's sizes): 'ceil(N/BLOCK)'",
           INTO(take_int, spec.grid), .range = {1, JR_GRID_MAX, 1}, OR_FORMULA(grid)),
    OPTION(
        "shared", 0, "KIND", SPEC | LAUNCH,
        "shared memory: auto static dynamic\nFor run and replay: bytes of dynamic shared memory per block, a formula",
        INTO(take_word, spec.shared), .words = "auto static dynamic", OR_FORMULA(shared)),
    OPTION("max-launch-ms", 0, "MS", TIMED,
           "split the work into launches of about this length at most: for a GPU that drives a display",
           INTO(take_launch_ms, spec.max_launch_ms)),
    OPTION("device", 'd', "DEVICE", CLI_SCOPE_ALL,
           "auto: the GPU, or the simulator if there is no NVIDIA driver; cuda or cuda:N: that GPU, without fallback; "
           "sim: the PTX simulator (sim#N: number N of JRSIM_DEVICES)\nFor reduce, scan and bench, several devices "
           "together: cuda:all, cuda:0,2: these GPUs; sim:N: N simulated devices; sim:0,1, sim:all: these, or all, of "
           "JRSIM_DEVICES",
           .take = cli_take_device, .words = "auto cuda sim",
           .heading = "Device (NVRTC, cache, stored tunings and packs: see 'jitreduce help settings')",
           .brief = "auto, cuda, cuda:N, cuda:all, or sim: the simulator"),
    OPTION(
        "mpi", 0, NULL, REDUCE | CLI_SCOPE_SCAN,
        "share the work between the ranks that mpirun has started, each on its --device (auto, cuda: the GPUs of its "
        "host in turn); each reads its share of the files, the first one prints\nFor scan: needs --output FILE.npy",
        INTO(take_flag, mpi)),
    OPTION("device-bytes", 0, "N", REDUCE | CLI_SCOPE_SCAN | APPLY,
           "device memory for data and results; larger inputs are processed in parts; default: 192 MiB, for many "
           "results the free memory",
           INTO(take_count, spec.device_bytes)),
    OPTION("arch", 0, "A[,A...]", PACK, "architectures to compile for: sm_90 (with PTX), compute_80 (only PTX), sim",
           INTO(take_text, architectures)),
    OPTION("plain", 0, NULL, PACK, "write the pack without compression, so that no zstd is needed to read it",
           INTO(take_flag, plain)),
    OPTION("y", 'y', "FILE", DATA, "a second array, as long as the first: y of expressions and of --op dot",
           INTO(take_text, more_files[1]), .heading = "Input"),
    OPTION("z", 'z', "FILE", DATA, "a third array", INTO(take_text, more_files[2])),
    OPTION("w", 'w', "FILE", DATA, "a fourth array", INTO(take_text, more_files[3])),
    OPTION("format", 'f', "FORMAT", DATA,
           "auto npy raw text; auto: .npy if the first bytes say so, else text (see 'jitreduce help formats')"
           "\nFor reduce and scan: also how results are printed, one conversion of printf for floats: '%.3f' or "
           "'%10.2e'; whole numbers are printed so, too, but for indices and counts",
           INTO(take_format, format), .again = true, .words = "auto npy raw text",
           .brief = "auto npy raw text; raw needs --type"),
    OPTION(
        "column", 'k', "K[,K...]", DATA,
        "read only column K of a table (CSV): its number from 1, or its name in the first line; several columns are x, "
        "y, z, w. Put a name that has a comma, or is a number, in double quotes: '\"a, b\"'. Columns that --map and "
        "--where name need no --column: --map 'price * qty'"
        "\nFor reduce: columns that no expression joins by y, z or w are reduced each, a line per column; also ranges "
        "(2-5, price:tax, price:) and '*' for all columns of numbers",
        .take = cli_take_columns, .again = true, .brief = "columns of a table (CSV): price, or 3,4 as x and y"),
    OPTION("delimiter", 0, "C", DATA,
           "the character between columns, or tab or space; default: the first of , ; tab that is in the first line, "
           "else white space",
           .take = cli_take_delimiter, .words = "tab space"),
    OPTION("decimal", 0, "C", DATA, "decimal separator of a text's numbers: '.' or ','", .take = cli_take_decimal),
    OPTION("thousands", 0, "C", DATA,
           "thousands separator of a text's numbers: ',' reads 1,234,567; also '.', space, ' or _",
           .take = cli_take_thousands, .words = "space"),
    OPTION("header", 0, "WORD", DATA,
           "for --column: whether the first line names the columns: yes, no, or auto, which compares it with the "
           "second line "
           "(a word or a quoted number above a number; country,2020,2021; ,0,1,2); default: auto",
           .take = cli_take_header, .words = "auto yes no"),
    OPTION("comment", 0, "C", DATA, "for --column: skip lines that begin with this character: '#'",
           .take = cli_take_comment),
    OPTION("skip-lines", 0, "N", DATA, "skip the first N lines of a text, whatever they contain",
           INTO(take_count, table.skip_lines)),
    OPTION(
        "na", 0, "WORD,...", DATA,
        "words of a text that stand for a missing value; an empty word, as in 'NA,-,', stands for an empty field"
        "\nFor reduce and scan: also of the keys of --group-by and --keys: what has a missing key belongs to no group",
        .take = cli_take_na, .again = true),
    OPTION(
        "missing", 0, "HOW", DATA,
        "how a missing value is read: nan; skip: its line is ignored (without --column, only the value); default: nan",
        .take = cli_take_missing, .words = "nan skip"),
    OPTION("field", 0, "NAME", DATA, "field of an .npy file of a structured type; 'at.x': x of the field at",
           INTO(take_text, field)),
    OPTION("offset", 0, "N", DATA, "skip the first N elements", INTO(take_count, offset)),
    OPTION("count", 'n', "N", DATA,
           "use the first N elements, which there must be (--op sum,count prints how many there are)",
           INTO(take_count, count)),
    OPTION("random", 0, "N[:SEED]", DATA,
           "N random elements instead of a file (default type: f32): floats in [-1, 1) (f16 in steps of "
           "1/1024, bf16 of 1/128), i32 and i64 in [-2^20, 2^20), u32 and u64 in [0, 2^20), smaller integers and bool "
           "in their whole range; the same elements on every machine; another SEED gives others; default of SEED: 0",
           INTO(take_random, generated_count), .brief = "N random elements instead of a file"),
    OPTION("iota", 0, "N", DATA,
           "the numbers 0 to N-1 instead of a file (default type: i64), if the type holds them exactly",
           INTO(take_iota, generated_count)),
    OPTION("segments", 0, "N|FILE", PARTS | PACK | APPLY,
           "N: segments of N elements each; FILE: segments of any lengths: FILE, .npy or text, has the index at which "
           "each segment begins, and the end of the last one; a file whose name is a number is written ./5"
           "\nFor reduce: prints one line per segment, its values separated by blanks\nFor scan: the scan begins again "
           "in each segment; elements before the first segment of FILE and after its last one are segments, too"
           "\nFor pack: kernels for segments of N elements\nFor apply: N: rows of N elements",
           .take = cli_take_segments),
    OPTION("axis", 0, "K[,K...]", PARTS | APPLY,
           "work along axis K of an array; axes count from 0; -1 is the last one; one line per result, in C order"
           "\nFor reduce: several axes are reduced at once; an index counts in C order of these axes"
           "\nFor apply: the last axes; default: -1",
           .take = cli_take_axis, .brief = "along an axis of an array, from 0; -1 is the last"),
    OPTION("shape", 0, "N,N,...", PARTS | APPLY,
           "shape of the array of --axis; default: that of the .npy file, else one dimension", .take = cli_take_shape),
    OPTION("keys", 0, "FILE|K", PARTS,
           "work by key: FILE, .npy or text, has one key per element; with --column, K is another column of that "
           "text, or a file that is there and has a point or slash in its name: ./keys; '\"K\"' is a column in any "
           "case; neighbours with equal keys are one segment"
           "\nFor reduce: prints one line per segment, its key first; --group-by brings equal keys together, wherever "
           "they are",
           INTO(take_text, keys)),
    OPTION(
        "group-by", 0, "K[,K...]", RUNS,
        "reduce all elements with the same key, wherever they are: one line per key, sorted by key, which is "
        "printed first. "
        "K is a column or a file, as for --keys, or a list of columns: city,shop has a line for each pair, sorted by "
        "city, then by shop; keys may be texts. Inside a group the order is kept, and i counts "
        "from 0; --op argmin prints "
        "the index in the input"
        "\nFor scan: running results inside each group, in the order of the input",
        INTO(take_text, group_by), .brief = "one result per key of columns or of a file"),
    OPTION("nan-keys", 0, NULL, RUNS,
           "for --keys and --group-by: keys that are NaN are equal; as a group they are the last one",
           INTO(take_flag, nan_keys)),
    OPTION(
        "empty-groups", 0, "HOW", REDUCE,
        "for --keys and --group-by: what becomes of keys of which --where and --nan ignore select nothing: keep, with "
        "the result of no elements (sum 0, max nan), or drop; default: keep",
        INTO(take_word, empty_groups), .words = "keep drop"),
    OPTION("key-type", 0, "T", PARTS,
           "type of the keys; a FILE that is neither .npy nor numbers in text is then read raw. text: keys of a text "
           "are taken as they are written; default: numbers if all of them are numbers that a type holds, without "
           "leading zeros, else text",
           .take = cli_take_key_type, .words = TYPE_NAMES " text"),
};
const int cli_work_option_count = sizeof cli_work_options / sizeof *cli_work_options;
_Static_assert(sizeof cli_work_options / sizeof *cli_work_options <= CLI_WORK_OPTIONS_MAX,
               "raise CLI_WORK_OPTIONS_MAX");
