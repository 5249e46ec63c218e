/* Manual pages in the macros of man(7), made from the tables of commands and options. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_settings.h"
#include "help_text.h"
#include "help_topic.h"

/* Prints text so that troff takes it as it stands: every '-' and '\\' escaped, no line that begins like a request. */
static void print_escaped(const char *text, const char *end) {
    bool begins = true;
    for (; text < end; text++) {
        if (begins && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
        begins = *text == '\n';
        if (*text == '\\')
            fputs("\\e", stdout);
        else if (*text == '-')
            fputs("\\-", stdout);
        else if (*text == '\'')
            fputs("\\(aq", stdout);
        else if (*text == '^')
            fputs("\\(ha", stdout);
        else if (*text == '~')
            fputs("\\(ti", stdout);
        else
            putchar(*text);
    }
}

static void print_text(const char *text) {
    print_escaped(text, text + strlen(text));
}

/* As it is laid out: lines stay lines. */
static void print_lines(const char *text) {
    printf(".nf\n");
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        if (end == text) fputs("\\&", stdout);
        print_escaped(text, end);
        putchar('\n');
    }
    printf(".fi\n");
}

/* A paragraph; its lines are parted by breaks. */
static void print_paragraph(const char *text) {
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        print_escaped(text, end);
        printf("\n.br\n");
    }
    print_text(text);
    putchar('\n');
}

static void print_options(const cli_command *command) {
    const char *heading = NULL;
    char left[CLI_LEFT_BYTES], text[CLI_TEXT_BYTES];
    printf(".SH OPTIONS\n");
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        if (option->heading != NULL) heading = option->heading;
        if (!cli_option_goes_with(option, command)) continue;
        if (heading != NULL) {
            printf(".SS \"");
            print_text(heading);
            printf("\"\n");
        }
        heading = NULL;
        printf(".TP\n\\fB");
        print_text(cli_option_left(option, left));
        printf("\\fR\n");
        print_paragraph(cli_option_help(option, command, text));
    }
}

static void print_commands(void) {
    printf(".SH COMMANDS\n");
    for (int i = 0; i < cli_command_count; i++) {
        printf(".TP\n\\fBjitreduce %s\\fR ", cli_command_table[i].name);
        print_text(cli_command_table[i].arguments);
        putchar('\n');
        print_paragraph(cli_command_table[i].help);
    }
}

static void print_about(void) {
    printf(".SH NOTES\n");
    for (int i = 0; i < cli_command_count; i++) {
        if (cli_command_table[i].about == NULL) continue;
        printf(".SS \"jitreduce %s\"\n", cli_command_table[i].name);
        print_lines(cli_command_table[i].about);
    }
}

static void print_ends(void) {
    printf(".SH \"EXIT STATUS\"\n");
#define EXIT_ROW(name, number, text)                                                                                   \
    printf(".TP\n\\fB%d\\fR\n", number);                                                                               \
    print_paragraph(text);
    CLI_EXITS(EXIT_ROW)
#undef EXIT_ROW
    printf(".SH ENVIRONMENT\n");
    for (int i = 0; i < jr_variable_count(); i++) {
        const jr_variable variable = jr_variable_get(i);
        printf(".TP\n\\fB%s\\fR\n", variable.name);
        print_paragraph(variable.text);
    }
}

static void print_title(const char *name) {
    printf(".TH JITREDUCE%s%s 1 \"2026-11-22\" \"jitreduce %s\" \"User Commands\"\n", name ? "-" : "", name ? name : "",
           jr_version());
    printf(".SH NAME\njitreduce%s%s \\- ", name ? "-" : "", name ? name : "");
}

cli_exit cli_help_man_topic(const cli_topic *topic, cli_error *error) {
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (out != NULL) topic->print(out);
    if (out == NULL || fclose(out) != 0) {
        free(text);
        return cli_fail(error, CLI_FAILURE, "help: out of memory");
    }
    print_title(topic->name);
    print_text(topic->help);
    printf("\n.SH DESCRIPTION\n");
    print_lines(text);
    free(text);
    return CLI_OK;
}

void cli_help_man(const cli_command *command) {
    print_title(command ? command->name : NULL);
    print_text(command ? command->help : "reduce many numbers to one, on a GPU or on a simulator");
    printf("\n.SH SYNOPSIS\n");
    for (int i = 0; i < cli_command_count; i++) {
        const cli_command *row = &cli_command_table[i];
        if (command != NULL ? row != command : i > 0) continue;
        printf("\\fBjitreduce\\fR %s%s%s ", i == 0 ? "[" : "", row->name, i == 0 ? "]" : "");
        print_text(row->arguments);
        putchar('\n');
    }
    if (command == NULL) printf(".br\n\\fBjitreduce\\fR COMMAND [OPTION...]\n");
    printf(".SH DESCRIPTION\n");
    print_text(command ? command->help : cli_help_head);
    if (command == NULL)
        print_commands();
    else
        putchar('\n');
    print_options(command);
    printf(".SH FILES\n");
    print_lines(cli_help_inputs);
    if (command == NULL) print_about();
    if (command != NULL && command->about != NULL) {
        printf(".SH NOTES\n");
        print_lines(command->about);
    }
    print_ends();
}
