/* jitreduce --help, written from the tables, so that it cannot say less than the command does; and --version. */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "settings.h"

enum { HELP_COLUMN = 26, HELP_WIDTH = 120 };

static const char head[] =
    "Reduces many numbers to one, on an NVIDIA GPU, or on a simulator of one where there is none.\n"
    "\n"
    "usage: jitreduce [reduce] [OPTION...] [FILE...]\n"
    "       jitreduce COMMAND [OPTION...]\n"
    "\n"
    "Examples\n"
    "  seq 1 1000000 | jitreduce --op sum         add the numbers of standard input: 500000500000\n"
    "  jitreduce --op min --uf 4 data.npy         the least element of a NumPy array, 4 loads a thread at once\n"
    "  jitreduce --op max --random 100M --stats   the greatest of 100 million random numbers, and what that cost\n"
    "  jitreduce --op min,max,mean,std data.npy   four values from one pass over the data\n"
    "  jitreduce --map 'fabs(x - y)' a.npy -y b.npy     the sum of the distances of two arrays\n"
    "  jitreduce --op mean --where 'x > low' --param low=0.5 --column 3 data.csv    the mean of what is above 0.5\n"
    "  jitreduce --combine 'a < b ? a : b' --identity INFINITY --commutative data.npy    an operator of your own\n"
    "  jitreduce compare --random 100M            every algorithm on the same data: time, bytes moved, registers\n"
    "  jitreduce bench --op sum,min --plot p.svg  times over sizes beside a bare read loop, as a table and a picture\n";

static const char formats[] =
    "Files of one input ('-' or none: standard input; several are read one behind the other, and have one type)\n"
    "  .npy   format 1, 2 and 3, either byte order, C order; Fortran order of one dimension\n"
    "  text   numbers between white space and commas, any number on a line; '#' begins a comment; inf and nan count;\n"
    "         of bool true and false, too; an empty field between commas is an error;\n"
    "         with --column one field of each line, parted by the first of , ; tab that line one has, else by spaces\n"
    "  raw    elements one behind the other in this machine's byte order (--raw --type TYPE)\n"
    "compare copies the input to the device once, runs each algorithm there until it has taken a fifth of a second "
    "(20\n"
    "times at most), and shows the shortest run: the bytes that it reads and writes in device memory (input, partial\n"
    "results, output), these over its time as GB/s, and that as a share of what the memory can move.\n"
    "bench measures device time: contestants take turns, each sample is a batch of runs, the median of all counts. "
    "Ours\n"
    "stands beside bare loops that only read, of which the fastest is the ceiling, and beside peers, whose results "
    "must\n"
    "be ours. A ratio is a contestant's median over ours. From five sizes on a line is fitted: fixed cost and GB/s.\n"
    "A file that is named as a command is: ./info\n"
    "N may be written 1000, 1e8, 2^20, 100k 100M 100G (powers of 1000), 1Ki 1Mi 1Gi (of 1024).\n";

/* Prints one line of help from HELP_COLUMN on, broken between words where it grows too wide. */
static void print_wrapped(const char *text, const char *end) {
    for (const int room = HELP_WIDTH - HELP_COLUMN; end - text > room;) {
        const char *stop = text + room;
        while (stop > text && *stop != ' ') stop--;
        if (stop == text) break; /* one word that is wider */
        printf("%.*s\n%*s", (int)(stop - text), text, HELP_COLUMN, "");
        text = stop + 1;
    }
    printf("%.*s", (int)(end - text), text);
}

/* One row: the left column, then the lines of the help, each below the one before. */
static void print_row(const char *left, const char *help) {
    bool wide = strlen(left) + 4 > HELP_COLUMN;
    printf("  %-*s", HELP_COLUMN - 2, left);
    if (wide) printf("\n%*s", HELP_COLUMN, "");
    for (const char *end; (end = strchr(help, '\n')) != NULL; help = end + 1) {
        print_wrapped(help, end);
        printf("\n%*s", HELP_COLUMN, "");
    }
    print_wrapped(help, help + strlen(help));
    putchar('\n');
}

static void print_options(void) {
    for (int i = 0; i < cli_option_count; i++) {
        const cli_option *option = &cli_option_table[i];
        char left[96], letter[8] = "", alias[32] = "";
        if (option->heading) printf("\n%s\n", option->heading);
        if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
        if (option->alias) snprintf(alias, sizeof alias, ", --%s", option->alias);
        snprintf(left, sizeof left, "%s--%s%s%s%s", letter, option->name, alias, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        print_row(left, option->help);
    }
}

cli_exit cli_help_run(const cli_options *options, cli_error *error) {
    (void)options, (void)error;
    fputs(head, stdout);
    printf("\nCommands\n");
    for (int i = 0; i < cli_command_count; i++) print_row(cli_command_table[i].name, cli_command_table[i].help);
    print_options();
    printf("\n%s", formats);
    printf("\nExit codes\n");
#define EXIT_ROW(name, number, text) printf("  %d  %s\n", number, text);
    CLI_EXITS(EXIT_ROW)
#undef EXIT_ROW
    printf("\nSettings (environment variables)\n");
    cli_settings_print(stdout, 0);
    return CLI_OK;
}

cli_exit cli_version_run(const cli_options *options, cli_error *error) {
    (void)options, (void)error;
    printf("jitreduce %s\n", jr_version());
    return CLI_OK;
}
