/* Lays out rows of help. */
#include "help_text.h"

#include <stdio.h>
#include <string.h>

const char cli_help_head[] =
    "Reduces many numbers to one, on an NVIDIA GPU, or on a simulator of one where there is none.\n";

const char cli_help_inputs[] =
    "Files of one input ('-' or none: standard input; several are read one behind the other, and have one type)\n"
    "  .npy   format 1, 2 and 3, either byte order, C and Fortran order; a field of a structured type by --field\n"
    "  .npz   an array of numpy.savez by its name, data.npz:price, or the only one\n"
    "  .gz .zst  any of these, unpacked while it is read\n"
    "  text   numbers between white space and commas, any number on a line; '#' begins a comment; inf and nan count;\n"
    "         of bool true and false, too; an empty field between commas is an error;\n"
    "         with --column a table (CSV by RFC 4180): columns by number or name, quoted fields, missing values by "
    "--na;\n"
    "         texts may be as large as they like: what is read is reduced and not kept\n"
    "  raw    elements one behind the other in this machine's byte order (--raw --type TYPE)\n"
    "A file that is named as a command is: ./info\n"
    "N may be written 1000, 1e8, 2^20, 100k 100M 100G (powers of 1000), 1Ki 1Mi 1Gi (of 1024).\n"
    "Types have their names of C and NumPy, too: float, double, half, int8, uint16, float32.\n";

const char *cli_option_left(const cli_option *option, char *left) {
    char letter[8] = "", alias[32] = "";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    if (option->alias) snprintf(alias, sizeof alias, ", --%s", option->alias);
    snprintf(left, CLI_LEFT_BYTES, "%s--%s%s%s%s", letter, option->name, alias, option->argument ? " " : "",
             option->argument ? option->argument : "");
    return left;
}

bool cli_option_goes_with(const cli_option *option, const cli_command *command) {
    return command == NULL || (option->scope & command->scope) != 0;
}

/* Prints one line from a column on, broken between words where it grows wider than room. */
static void print_wrapped(const char *text, const char *end, int column, int room) {
    while (end - text > room) {
        const char *stop = text + room;
        while (stop > text && *stop != ' ') stop--;
        if (stop == text) break; /* one word that is wider */
        printf("%.*s\n%*s", (int)(stop - text), text, column, "");
        text = stop + 1;
    }
    printf("%.*s", (int)(end - text), text);
}

void cli_help_row(const char *left, const char *help, int column, int width) {
    const bool wide = (int)strlen(left) + 4 > column;
    if (wide)
        printf("  %s\n%*s", left, column, "");
    else
        printf("  %-*s", column - 2, left);
    for (const char *end; (end = strchr(help, '\n')) != NULL; help = end + 1) {
        print_wrapped(help, end, column, width - column);
        printf("\n%*s", column, "");
    }
    print_wrapped(help, help + strlen(help), column, width - column);
    putchar('\n');
}
