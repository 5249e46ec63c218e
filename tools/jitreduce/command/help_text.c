/* Lays out rows of help. */
#include "help_text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char cli_help_head[] = "Reduces many numbers to one, on an NVIDIA GPU, or on a simulator if there is no GPU.\n";

const char cli_help_inputs[] =
    "Input files (several are read one after the other and have one type; '-', or no file, is standard input)\n"
    "  .npy   format 1, 2 and 3, either byte order, C and Fortran order; --field selects a field of a structured type\n"
    "  .npz   one array of numpy.savez: data.npz:price, or the only one\n"
    "  .gz .zst  any of these, unpacked while it is read\n"
    "  text   numbers separated by white space and commas, any number per line; '#' begins a comment; inf and nan are\n"
    "         numbers; for bool also true and false; an empty field between commas is an error. Texts of any size are\n"
    "         reduced while they are read\n"
    "  table  with --column, or a column's name in --map or --where (CSV by RFC 4180): columns by number or name,\n"
    "         quoted fields, missing values by --na\n"
    "  raw    consecutive elements in this machine's byte order (--format raw --type TYPE)\n"
    "A file with the name of a command is written ./info.\n"
    "N may be written 1000, 1e8, 2^20, 100k 100M 100G (powers of 1000), 1Ki 1Mi 1Gi (of 1024).\n"
    "Types may also have their names of C and NumPy: float, double, half, int8, uint16, float32.\n";

const char *cli_option_left(const cli_option *option, char *left) {
    char letter[8] = "";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, CLI_LEFT_BYTES, "%s--%s%s%s", letter, option->name, option->argument ? " " : "",
             option->argument ? option->argument : "");
    return left;
}

/* Is a line of help about a command: does "For run and replay: ..." name it, or no command at all? */
static bool is_about(const char *line, const cli_command *command) {
    bool names_others = false;
    if (command == NULL || strncmp(line, "For ", 4) != 0) return true;
    for (const char *word = line + 4, *end; word[-1] != ':' && *word != '\0'; word = end + 1) {
        end = word + strcspn(word, " ,:\n");
        if (*end == '\0' || *end == '\n') break;
        for (int i = 0; i < cli_command_count; i++) {
            const char *name = cli_command_table[i].name;
            if (strlen(name) != (size_t)(end - word) || strncmp(name, word, strlen(name)) != 0) continue;
            if (&cli_command_table[i] == command) return true;
            names_others = true;
        }
    }
    return !names_others;
}

const char *cli_option_help(const cli_option *option, const cli_command *command, char *text) {
    size_t used = 0;
    text[0] = '\0';
    for (const char *line = option->help; line != NULL;) {
        const char *end = strchr(line, '\n');
        const int length = (int)(end != NULL ? end - line : (ptrdiff_t)strlen(line));
        if (is_about(line, command) && used < CLI_TEXT_BYTES)
            used += (size_t)snprintf(text + used, CLI_TEXT_BYTES - used, "%s%.*s", used > 0 ? "\n" : "", length, line);
        line = end != NULL ? end + 1 : NULL;
    }
    return text;
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
