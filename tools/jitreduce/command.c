/* The table of subcommands. */
#include "command.h"

#include <string.h>

#define OPTIONS_AND_FILES "[OPTION...] [FILE...]"

static const char about_reduce[] =
    "Examples\n"
    "  seq 1 1000000 | jitreduce --op sum         add the numbers of standard input: 500000500000\n"
    "  jitreduce --op min --uf 4 data.npy         the least element of a NumPy array, 4 loads a thread at once\n"
    "  jitreduce --op max --random 100M --stats   the greatest of 100 million random numbers, and what that cost\n"
    "  jitreduce --op min,max,mean,std data.npy   four values from one pass over the data\n"
    "  jitreduce --map 'fabs(x - y)' a.npy -y b.npy     the sum of the distances of two arrays\n"
    "  jitreduce --op mean --where 'x > low' --param low=0.5 --column price data.csv    the mean of what is above 0.5\n"
    "  jitreduce --combine 'a < b ? a : b' --identity INFINITY --commutative data.npy   an operator of your own\n";
static const char about_scan[] =
    "Examples\n"
    "  seq 1 5 | jitreduce scan                   1 3 6 10 15, a line each\n"
    "  jitreduce scan --exclusive -o at.npy n.npy where each begins, of how many each has\n";
static const char about_compare[] =
    "Copies the input to the device once, runs each algorithm there until it has taken a fifth of a second (20 times\n"
    "at most), and shows the shortest run: the bytes that it reads and writes in device memory (input, partial\n"
    "results, output), these over its time as GB/s, and that as a share of what the memory can move.\n"
    "\n"
    "Examples\n"
    "  jitreduce compare --random 100M            every algorithm on the same data: time, bytes moved, registers\n";
static const char about_bench[] =
    "Measures device time: contestants take turns, each sample is a batch of runs, the median of all counts. Ours\n"
    "stands beside bare loops that only read, of which the fastest is the ceiling, and beside peers, whose results\n"
    "must be ours. A ratio is a contestant's median over ours. From five sizes on a line is fitted: fixed cost and\n"
    "GB/s. Interrupted, it tells the rows that are finished. Of a group of devices it measures the host's time from\n"
    "the call to the value, beside one device with as many elements as each of the group has.\n"
    "\n"
    "Examples\n"
    "  jitreduce bench --op sum,min --plot p.svg  times over sizes beside a bare read loop, as a table and a picture\n"
    "  jitreduce bench --sizes 2^20..2^28*4 --csv lines for a spreadsheet\n"
    "  jitreduce bench --device cuda:all          all GPUs together, and how many times the rate of one they have\n";
static const char about_tune[] =
    "Examples\n"
    "  jitreduce tune --op sum,min --type f32,f64 --limit 600   what stands in the file is taken from then on\n";
static const char about_run[] =
    "FILE is CUDA C++ (.cu), which is compiled at run time, or PTX (.ptx). On the simulator (--device sim) it is a "
    "test\n"
    "of the kernel: accesses out of bounds, races, divergent barriers and uninitialised reads end it with the line of\n"
    "the source, the block and the thread. Without --grid nothing is launched: --info, --ptx and --sass tell of the\n"
    "kernel alone. Arrays that are written back and have no --output are shown by their first elements.\n"
    "\n"
    "Examples\n"
    "  jitreduce run saxpy.cu --entry saxpy -D N=1000000 --grid 'ceil(N/BLOCK)' --block 256 \\\n"
    "      --arg i32:N --arg f32:2 --arg x.npy --arg inout:y.npy --output y2.npy\n"
    "  jitreduce run tile.cu --entry tile --grid 64,64 --block 16,16 --arg in.npy --arg out:f32:1048576 --time\n"
    "  jitreduce run kernel.ptx --info            registers and occupancy of the only kernel there\n";
static const char about_pack[] =
    "Compiles every kernel that the reductions may run, whatever the size of their input. Without --op every "
    "operator,\n"
    "without --type every type, and what does not go together is passed over. Packs are found by --packs,\n"
    "JITREDUCE_PACKS, and in the folder jitreduce beside the library.\n"
    "\n"
    "Examples\n"
    "  jitreduce pack --op sum,min --type f32,f64 --arch sm_80,sm_90 -o mine.jrpack\n"
    "  jitreduce pack mine.jrpack                 verify it, and tell what it is\n";
static const char about_trace[] =
    "Runs the kernels on the simulator and shows, between one barrier and the next, what each thread loaded and gave:\n"
    "to shared memory, to the other lanes of its warp, to global memory; and what shared memory then held. Threads "
    "that\n"
    "gave nothing are not active. Nothing is computed for the table: it is what the run recorded. At most 4096 "
    "elements.\n"
    "\n"
    "Examples\n"
    "  jitreduce trace --algorithm tournament --iota 16 --block 32    the tournament of 16 numbers\n"
    "  jitreduce trace --scan --algorithm one_block --iota 8 --json   a scan, for a program\n";
static const char about_replay[] =
    "FILE is what JITREDUCE_CAPTURE=FOLDER[:PATTERN] had a program write: a launch by jr_kernel_launch,\n"
    "with image, program, arguments, and all memory that these point to, before and after: that program's\n"
    "data. The launch runs again, on a GPU or checked by the simulator, and each buffer is compared with\n"
    "what it was then, bit for bit; exit code 1: some differ. Pointers inside structs are not followed.\n"
    "\n"
    "Examples\n"
    "  JITREDUCE_CAPTURE=launches:saxpy ./app            its launches of saxpy, into launches/saxpy.N.jrlaunch\n"
    "  jitreduce replay launches/saxpy.1.jrlaunch        run the first again, and compare\n"
    "  jitreduce replay -d sim launches/saxpy.1.jrlaunch have the simulator check it\n"
    "  jitreduce replay launches/saxpy.1.jrlaunch -D UF=8 --block 512 --time\n";
static const char about_help[] = "usage: jitreduce help [COMMAND]\n"
                                 "       jitreduce help all               everything on one page\n"
                                 "       jitreduce help man [COMMAND]     the manual page, for man -l -\n"
                                 "       jitreduce help bash|zsh|fish     the completion of a shell\n"
                                 "\n"
                                 "Examples\n"
                                 "  source <(jitreduce help bash)              completion in this bash\n"
                                 "  jitreduce help fish | source               in this fish\n";

const cli_command cli_command_table[] = {
    {"reduce", CLI_SCOPE_REDUCE, true, cli_reduce_run, "reduce files or standard input to one value (the default)",
     OPTIONS_AND_FILES, about_reduce},
    {"scan", CLI_SCOPE_SCAN, true, cli_scan_run,
     "prefix results: for every element that of all elements up to it, a line each", OPTIONS_AND_FILES, about_scan},
    {"compare", CLI_SCOPE_COMPARE, true, cli_compare_run,
     "reduce, or scan, the same input by every algorithm, and show what each costs", OPTIONS_AND_FILES, about_compare},
    {"bench", CLI_SCOPE_BENCH, false, cli_bench_run, "measure operators beside a bare read loop and other libraries",
     "[OPTION...]", about_bench},
    {"tune", CLI_SCOPE_TUNE, false, cli_tune_run, "find the best tuning, and store it for the reductions that follow",
     "[OPTION...]", about_tune},
    {"run", CLI_SCOPE_RUN, true, cli_kernel_run, "run a kernel of your own, on a GPU or checked by the simulator",
     "[OPTION...] FILE.cu|FILE.ptx", about_run},
    {"replay", CLI_SCOPE_REPLAY, true, cli_replay_run, "run a captured launch again, and compare",
     "[OPTION...] FILE.jrlaunch", about_replay},
    {"pack", CLI_SCOPE_PACK, true, cli_pack_run, "compile operators ahead: a file that needs no NVRTC",
     "[OPTION...] [FILE...]", about_pack},
    {"trace", CLI_SCOPE_TRACE, true, cli_trace_run, "show a reduction or scan round by round, as the simulator ran it",
     OPTIONS_AND_FILES, about_trace},
    {"info", CLI_SCOPE_INFO, false, cli_info_run, "the device, and what the kernel of --op, --type, ... takes of it",
     "[OPTION...]", NULL},
    {"doctor", CLI_SCOPE_DOCTOR, false, cli_doctor_run, "which libraries were found, which were not taken and why",
     "[OPTION...]", NULL},
    {"help", CLI_SCOPE_ALL, true, cli_help_run, "help of a page, or of a command: 'jitreduce help bench'",
     "[COMMAND|all|man|bash|zsh|fish]", about_help},
    {"version", CLI_SCOPE_ALL, false, cli_version_run, "the version", "", NULL},
};
const int cli_command_count = sizeof cli_command_table / sizeof *cli_command_table;

const cli_command *cli_command_find(const char *name) {
    for (int i = 0; i < cli_command_count; i++)
        if (strcmp(cli_command_table[i].name, name) == 0) return &cli_command_table[i];
    return NULL;
}
