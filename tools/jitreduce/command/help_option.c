/* Prints the help of one option. */
#include "help_option.h"

#include <stdio.h>
#include <string.h>

#include "help_text.h"

const cli_option *cli_help_find_option(const char *word) {
    const bool is_long = strncmp(word, "--", 2) == 0, is_letter = !is_long && word[0] == '-';
    const char *name = is_long ? word + 2 : word;
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (is_letter ? option->letter == word[1] && word[1] != '\0' && word[2] == '\0'
                      : strcmp(option->name, name) == 0 || (option->alias != NULL && strcmp(option->alias, name) == 0))
            return option;
    }
    return NULL;
}

void cli_help_option(const cli_option *option) {
    enum { COLUMN = 26 };
    char left[CLI_LEFT_BYTES];
    const char *between = "";
    cli_help_row(cli_option_left(option, left), option->help, COLUMN, CLI_HELP_WIDTH);
    printf("\nCommands: ");
    for (int i = 0; i < cli_command_count; i++) {
        const cli_command *command = &cli_command_table[i];
        if (command->scope == CLI_SCOPE_ALL || !cli_option_goes_with(option, command)) continue;
        printf("%s%s", between, command->name);
        between = ", ";
    }
    putchar('\n');
}
