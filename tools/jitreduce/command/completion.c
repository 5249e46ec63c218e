/* Completion for bash, zsh and fish, made from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "help_text.h"
#include "help_topic.h"

typedef enum argument_kind { NOTHING, WORDS, WORD_LIST, PATH, OTHER } argument_kind;

static argument_kind kind_of(const cli_option *option) {
    const char *argument = option->argument;
    if (argument == NULL) return NOTHING;
    if (option->words != NULL) return strstr(argument, "[,") ? WORD_LIST : WORDS;
    return strstr(argument, "FILE") || strstr(argument, "PATH") || strstr(argument, "DIR") ? PATH : OTHER;
}

/* The help up to the first ';', ':' or line's end, without the characters that shells interpret. */
static void print_short(const char *help) {
    const size_t length = strcspn(help, ";:\n");
    for (size_t i = 0; i < length; i++)
        if (strchr("'[]\\\"$`", help[i]) == NULL) putchar(help[i]);
}

static void print_commands(const char *between) {
    for (int i = 0; i < cli_command_count; i++) printf("%s%s", i > 0 ? between : "", cli_command_table[i].name);
}

static void print_topics(void) {
    for (int i = 0; i < cli_topic_count; i++) printf("%s ", cli_topic_table[i].name);
}

/* -p|--op, for a pattern of bash. */
static void print_names(const cli_option *option, const char *between) {
    printf("--%s", option->name);
    if (option->letter) printf("%s-%c", between, option->letter);
}

static const char bash_head[] =
    "# bash completion of jitreduce: source <(jitreduce help bash)\n"
    "_jitreduce_words() { mapfile -t COMPREPLY < <(compgen -W \"$2\" -- \"$1\"); }\n"
    "_jitreduce_list() { mapfile -t COMPREPLY < <(compgen -P \"${1%\"${1##*,}\"}\" -W \"$2\" -- \"${1##*,}\"); }\n"
    "_jitreduce_files() { mapfile -t COMPREPLY < <(compgen -f -- \"$1\"); }\n"
    "_jitreduce() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=reduce words word files\n"
    "    if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD - 2]}; fi\n"
    "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
    "        case $word in ";

static void print_bash_values(void) {
    printf("    case $prev in\n");
    for (int i = 0; i < cli_option_count(); i++) {
        const cli_option *option = cli_option_row(i);
        const argument_kind kind = kind_of(option);
        if (kind == NOTHING) continue;
        printf("    ");
        print_names(option, "|");
        if (kind == PATH)
            printf(") _jitreduce_files \"$cur\" && return ;;\n");
        else if (kind == OTHER)
            printf(") return ;;\n");
        else
            printf(") _jitreduce_%s \"$cur\" \"%s\" && return ;;\n", kind == WORD_LIST ? "list" : "words",
                   option->words + strspn(option->words, " "));
    }
    printf("    esac\n");
}

static void print_bash(void) {
    fputs(bash_head, stdout);
    print_commands("|");
    printf(") command=$word && break ;; esac\n    done\n");
    print_bash_values();
    printf("    if [[ $cur == -* ]]; then\n        case $command in\n");
    for (int c = 0; c < cli_command_count; c++) {
        printf("        %s) words='", cli_command_table[c].name);
        for (int i = 0; i < cli_option_count(); i++) {
            if (!cli_option_goes_with(cli_option_row(i), &cli_command_table[c])) continue;
            print_names(cli_option_row(i), " ");
            putchar(' ');
        }
        printf("' ;;\n");
    }
    printf("        esac\n        _jitreduce_words \"$cur\" \"$words\"\n        return\n    fi\n    words=\n"
           "    if [[ $command == help ]]; then words='all man bash zsh fish ");
    print_topics();
    print_commands(" ");
    printf("'; elif [[ $COMP_CWORD == 1 ]]; then words='");
    print_commands(" ");
    printf("'; fi\n    _jitreduce_words \"$cur\" \"$words\"\n    mapfile -t files < <(compgen -f -- \"$cur\")\n"
           "    COMPREPLY+=(\"${files[@]}\")\n}\ncomplete -o filenames -F _jitreduce jitreduce\n");
}

/* '--op[help]:OP:(sum min)' */
static void print_zsh_option(const cli_option *option, const char *dashes, const char *name, size_t length) {
    printf("        '%s%.*s[", dashes, (int)length, name);
    print_short(option->help);
    putchar(']');
    switch (kind_of(option)) {
    case NOTHING: break;
    case WORDS: printf(":word:(%s)", option->words + strspn(option->words, " ")); break;
    case WORD_LIST: printf(":words:_sequence compadd - %s", option->words + strspn(option->words, " ")); break;
    case PATH: printf(":file:_files"); break;
    case OTHER: printf(":value: "); break;
    }
    printf("'\n");
}

static void print_zsh(void) {
    printf("#compdef jitreduce\n# zsh completion of jitreduce: source <(jitreduce help zsh)\n_jitreduce() {\n"
           "    local command=reduce word\n    local -a commands options\n    commands=(\n");
    for (int i = 0; i < cli_command_count; i++) {
        printf("        '%s:", cli_command_table[i].name);
        print_short(cli_command_table[i].help);
        printf("'\n");
    }
    printf("    )\n    for word in ${words[2,CURRENT-1]}; do\n        case $word in (");
    print_commands("|");
    printf(") command=$word; break ;; esac\n    done\n    case $command in\n");
    for (int c = 0; c < cli_command_count; c++) {
        printf("    (%s) options=(\n", cli_command_table[c].name);
        for (int i = 0; i < cli_option_count(); i++) {
            const cli_option *option = cli_option_row(i);
            if (!cli_option_goes_with(option, &cli_command_table[c])) continue;
            print_zsh_option(option, "--", option->name, strlen(option->name));
            if (option->letter) print_zsh_option(option, "-", &option->letter, 1);
        }
        printf("    ) ;;\n");
    }
    printf("    esac\n    if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then\n        _describe command commands\n"
           "        _files\n        return\n    fi\n    if [[ $command == help ]]; then\n"
           "        compadd all man bash zsh fish ");
    print_topics();
    printf("${commands%%%%:*}\n        return\n    fi\n"
           "    _arguments $options '*:file:_files'\n}\ncompdef _jitreduce jitreduce\n");
}

static void print_fish_option(const cli_option *option) {
    printf("complete -c jitreduce -n '__jitreduce_in");
    for (int c = 0; c < cli_command_count; c++)
        if (cli_option_goes_with(option, &cli_command_table[c])) printf(" %s", cli_command_table[c].name);
    printf("' -l %s", option->name);
    if (option->letter) printf(" -s %c", option->letter);
    switch (kind_of(option)) {
    case NOTHING: break;
    case WORDS: printf(" -x -a '%s'", option->words + strspn(option->words, " ")); break;
    case WORD_LIST: printf(" -x -a '(__fish_append , %s)'", option->words + strspn(option->words, " ")); break;
    case PATH: printf(" -r -F"); break;
    case OTHER: printf(" -x"); break;
    }
    printf(" -d '");
    print_short(option->help);
    printf("'\n");
}

static void print_fish(void) {
    printf("# fish completion of jitreduce: jitreduce help fish | source\n"
           "function __jitreduce_in\n    set -l found reduce\n    for word in (commandline -opc)[2..]\n"
           "        if contains -- $word ");
    print_commands(" ");
    printf("\n            set found $word\n            break\n        end\n    end\n"
           "    contains -- $found $argv\nend\n");
    for (int i = 0; i < cli_command_count; i++) {
        printf("complete -c jitreduce -n __fish_use_subcommand -a %s -d '", cli_command_table[i].name);
        print_short(cli_command_table[i].help);
        printf("'\n");
    }
    printf("complete -c jitreduce -f -n '__jitreduce_in help' -a 'all man bash zsh fish ");
    print_topics();
    print_commands(" ");
    printf("'\n");
    for (int i = 0; i < cli_option_count(); i++) print_fish_option(cli_option_row(i));
}

void cli_help_completion(const char *shell) {
    if (strcmp(shell, "bash") == 0) print_bash();
    if (strcmp(shell, "zsh") == 0) print_zsh();
    if (strcmp(shell, "fish") == 0) print_fish();
}
