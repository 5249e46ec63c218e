/* The table of subcommands. */
#include "command.h"

#include <string.h>

#define OPTIONS_AND_FILES "[OPTION...] [FILE...]"

static const char about_reduce[] =
    "Examples\n"
    "  seq 1 1000000 | jitreduce --op sum         add the numbers of standard input: 500000500000\n"
    "  jitreduce --op min --uf 4 data.npy         the smallest element of a NumPy array, 4 loads per thread at once\n"
    "  jitreduce --op max --random 100M --stats   the largest of 100 million random numbers, with times\n"
    "  jitreduce --op min,max,mean,std data.npy   four values from one pass over the data\n"
    "  jitreduce --map 'fabs(x - y)' a.npy -y b.npy     the sum of the distances between two arrays\n"
    "  jitreduce --op mean --where 'x > low' --param low=0.5 --column price data.csv    the mean of the prices above "
    "0.5\n"
    "  jitreduce --op sum,count --column price --group-by city data.csv    one line per city\n"
    "  jitreduce --combine 'fmin(a, b)' --identity INFINITY --commutative data.npy      an operator of your own\n";
static const char about_scan[] =
    "Examples\n"
    "  seq 1 5 | jitreduce scan                   1 3 6 10 15, one per line\n"
    "  jitreduce scan --exclusive -o at.npy n.npy the index at which each part begins, from the sizes of the parts\n"
    "  jitreduce scan --keys keys.npy x.npy       the sum begins again at each new key\n";
static const char about_apply[] =
    "Rows lie along the last axis of an array, or are the segments of --segments N; a text is one row. Values are in\n"
    "the order of the elements, and an array of --output has the shape of the input.\n"
    "\n"
    "Examples\n"
    "  jitreduce apply --expr softmax -o p.npy logits.npy   each row to probabilities\n"
    "  jitreduce apply --op min,max --expr '(x - r0) / (r1 - r0)' -o scaled.npy data.npy\n"
    "  jitreduce apply --expr zscore --column price t.csv   a column of a table, a line for each price\n"
    "  seq 1 4 | jitreduce apply --expr 'x / r'             0.1 0.2 0.3 0.4, one per line\n";
static const char about_compare[] =
    "Copies the input to the device once, runs each algorithm there for a fifth of a second (at most 20 times), and\n"
    "shows the shortest run: the bytes that it reads and writes in device memory (input, partial results, output),\n"
    "the rate in GB/s, and that rate as a share of the memory's bandwidth.\n"
    "\n"
    "Examples\n"
    "  jitreduce compare --random 100M            every algorithm on the same data: time, bytes moved, registers\n";
static const char about_bench[] =
    "Measures device time: contestants take turns, each sample is a batch of runs, and the median of the samples is\n"
    "shown. jitreduce is compared with bare loops that only read, of which the fastest is the ceiling, and with "
    "peers,\n"
    "whose results must agree. A ratio is a contestant's median divided by that of jitreduce. With five sizes or more "
    "a\n"
    "line is fitted: fixed cost and GB/s. If it is interrupted, it prints the finished rows. For a group of devices "
    "it\n"
    "measures the host's time from the call to the value, and compares it with one device that has as many elements "
    "as\n"
    "each device of the group.\n"
    "\n"
    "With FILE, --random or --iota these elements are reduced, or scanned with --scan, by the algorithm of "
    "--algorithm;\n"
    "by all of them it is 'jitreduce compare', and takes its options.\n"
    "\n"
    "Examples\n"
    "  jitreduce bench --op sum,min --plot p.svg  times over sizes and a bare read loop, as a table and a picture\n"
    "  jitreduce bench --sizes 2^20..2^28*4 --csv lines for a spreadsheet\n"
    "  jitreduce bench --scan --random 100M --algorithm all    every algorithm of scans on the same elements\n"
    "  jitreduce bench --device cuda:all          all GPUs together, and their rate as a multiple of that of one\n";
static const char about_tune[] =
    "Examples\n"
    "  jitreduce tune --op sum,min --type f32,f64 --limit 600   the results are stored; later reductions use them\n";
static const char about_run[] =
    "FILE is CUDA C++ (.cu), which is compiled at run time, or PTX (.ptx). On the simulator (--device sim) this is a\n"
    "test of the kernel: an access out of bounds, a race or an uninitialised read in shared memory, or a divergent\n"
    "barrier ends it, and the error names the line of the source, the block and the thread. Without --grid nothing is\n"
    "launched: --show resources,ptx,sass describes the kernel alone. Arrays that are written back and have no "
    "--output\n"
    "are shown by their first elements.\n"
    "\n"
    "Examples\n"
    "  jitreduce run saxpy.cu --entry saxpy -D N=1000000 --grid 'ceil(N/BLOCK)' --block 256 \\\n"
    "      --arg i32:N --arg f32:2 --arg x.npy --arg inout:y.npy --output y2.npy\n"
    "  jitreduce run tile.cu --entry tile --grid 64,64 --block 16,16 --arg in.npy --arg out:f32:1048576 --show time\n"
    "  jitreduce run kernel.ptx --show resources  registers and occupancy of the only kernel of the file\n"
    "  jitreduce run step.cu --grid 1 --arg out:f32:8 --watch   again after each change of the file\n";
static const char about_pack[] =
    "Compiles every kernel that the reductions may run, for inputs of any size. Without --op it takes every operator,\n"
    "without --type every type; combinations that do not exist are skipped. Packs are found by JITREDUCE_PACKS\n"
    "and in the folder jitreduce next to the library.\n"
    "\n"
    "Examples\n"
    "  jitreduce pack --op sum,min --type f32,f64 --arch sm_80,sm_90 -o mine.jrpack\n"
    "  jitreduce pack mine.jrpack                 verify it, and show its contents\n"
    "  JITREDUCE_PACK_RECORD=app.jrpack:sm_80,sm_90 ./app   a pack of all kernels that a program used\n";
static const char about_trace[] =
    "Runs the kernels on the simulator and shows, between one barrier and the next, what each thread loaded and "
    "passed\n"
    "on: to shared memory, to other lanes of its warp, to global memory; and the contents of shared memory after "
    "that.\n"
    "Threads that passed nothing on are inactive. The table is a recording of that run. At most 4096 elements.\n"
    "\n"
    "Examples\n"
    "  jitreduce trace --algorithm tournament --iota 16 --block 32    the tournament of 16 numbers\n"
    "  jitreduce trace --scan --algorithm one_block --iota 8 --json   a scan, for a program\n";
static const char about_replay[] =
    "FILE was written by a program under JITREDUCE_CAPTURE=FOLDER[:PATTERN]: one launch by jr_kernel_launch, with\n"
    "image, program, arguments, and all memory that these point to, before and after; it contains that program's "
    "data.\n"
    "The launch runs again, on a GPU or checked by the simulator, and each buffer is compared with the captured one,\n"
    "bit for bit; exit code 1: some differ. Pointers inside structs are not followed.\n"
    "\n"
    "Examples\n"
    "  JITREDUCE_CAPTURE=launches:saxpy ./app            its launches of saxpy, into launches/saxpy.N.jrlaunch\n"
    "  jitreduce replay launches/saxpy.1.jrlaunch        run the first one again, and compare\n"
    "  jitreduce replay -d sim launches/saxpy.1.jrlaunch let the simulator check it\n"
    "  jitreduce replay launches/saxpy.1.jrlaunch -D UF=8 --block 512 --show time\n";
static const char about_help[] = "usage: jitreduce help [COMMAND|TOPIC|OPTION]\n"
                                 "       jitreduce help all                     everything on one page\n"
                                 "       jitreduce help man [COMMAND|TOPIC]     the manual page, for man -l -\n"
                                 "       jitreduce help bash|zsh|fish           the completion script of a shell\n"
                                 "\n"
                                 "Examples\n"
                                 "  source <(jitreduce help bash)              completion in this bash\n"
                                 "  jitreduce help fish | source               completion in this fish\n";

const cli_command cli_command_table[] = {
    {"reduce", CLI_SCOPE_REDUCE, true, cli_reduce_run, "reduce files or standard input to one value (the default)",
     OPTIONS_AND_FILES, about_reduce},
    {"scan", CLI_SCOPE_SCAN, true, cli_scan_run, "running results: one per element, over all up to and including it",
     OPTIONS_AND_FILES, about_scan},
    {"apply", CLI_SCOPE_APPLY, true, cli_apply_run, "a value for each element, of it and the results of its row",
     OPTIONS_AND_FILES, about_apply},
    {"compare", CLI_SCOPE_COMPARE, true, cli_compare_run,
     "reduce or scan one input with every algorithm, and show the costs", OPTIONS_AND_FILES, about_compare},
    {"bench", CLI_SCOPE_BENCH, false, cli_bench_run, "measure operators beside a bare read loop and other libraries",
     OPTIONS_AND_FILES, about_bench},
    {"tune", CLI_SCOPE_TUNE, false, cli_tune_run, "find the fastest tuning, and store it for later reductions",
     "[OPTION...]", about_tune},
    {"run", CLI_SCOPE_RUN, true, cli_kernel_run, "run a kernel of your own, on a GPU or checked by the simulator",
     "[OPTION...] FILE.cu|FILE.ptx", about_run},
    {"replay", CLI_SCOPE_REPLAY, true, cli_replay_run, "run a captured launch again, and compare its results",
     "[OPTION...] FILE.jrlaunch", about_replay},
    {"pack", CLI_SCOPE_PACK, true, cli_pack_run, "compile operators ahead of time into a file that needs no NVRTC",
     "[OPTION...] [FILE...]", about_pack},
    {"trace", CLI_SCOPE_TRACE, true, cli_trace_run, "show a reduction or scan round by round, as the simulator ran it",
     OPTIONS_AND_FILES, about_trace},
    {"info", CLI_SCOPE_INFO, false, cli_info_run, "show the device, and what the kernel of --op, --type, ... uses",
     "[OPTION...]", NULL},
    {"doctor", CLI_SCOPE_DOCTOR, false, cli_doctor_run,
     "show which libraries were found, and which were rejected and why", "[OPTION...]", NULL},
    {"help", CLI_SCOPE_ALL, true, cli_help_run, "a page of help, or the help of a command, topic or option",
     "[COMMAND|TOPIC|all|man|bash|zsh|fish]", about_help},
    {"version", CLI_SCOPE_ALL, false, cli_version_run, "print the version", "", NULL},
};
const int cli_command_count = sizeof cli_command_table / sizeof *cli_command_table;

const cli_command *cli_command_find(const char *name) {
    for (int i = 0; i < cli_command_count; i++)
        if (strcmp(cli_command_table[i].name, name) == 0) return &cli_command_table[i];
    return NULL;
}
