/* Shows the environment as the library reads it. */
#include "cli_settings.h"

#include <stdlib.h>
#include <string.h>

#include <jitreduce.h>

static const char *value_of(const char *name) {
    for (int i = 0; i < jr_variable_count(); i++) {
        const jr_variable variable = jr_variable_get(i);
        if (strcmp(variable.name, name) != 0) continue;
        return variable.value != NULL && variable.value[0] != '\0' ? variable.value : NULL;
    }
    return NULL;
}

const char *cli_settings_device(void) {
    return value_of("JITREDUCE_DEVICE");
}

const char *cli_settings_log(void) {
    return value_of("JITREDUCE_LOG");
}

bool cli_settings_records(void) {
    return value_of("JITREDUCE_CAPTURE") != NULL || value_of("JITREDUCE_PACK_RECORD") != NULL;
}

const char *cli_settings_mpi(void) {
    const char *file = getenv("JITREDUCE_MPI");
    return file != NULL && file[0] != '\0' ? file : NULL;
}

const char *cli_settings_temporary_folder(void) {
    const char *folder = getenv("TMPDIR");
    return folder != NULL && folder[0] != '\0' ? folder : "/tmp";
}

/* The simulator reads it when it starts (src/base/settings.h). */
static const char rounds[] = "JRSIM_ROUNDS";

const char *cli_settings_rounds(void) {
    return getenv(rounds);
}

bool cli_settings_set_rounds(const char *path) {
    return setenv(rounds, path, 1) == 0;
}

void cli_settings_print(FILE *out, int values) {
    for (int i = 0; i < jr_variable_count(); i++) {
        const jr_variable variable = jr_variable_get(i);
        if (!values)
            fprintf(out, "  %-22s %s\n", variable.name, variable.text);
        else if (variable.value == NULL)
            fprintf(out, "    %-22s (not set)\n", variable.name);
        else
            fprintf(out, "  * %-22s \"%s\"\n", variable.name, variable.value);
    }
}

bool cli_settings_plain_terminal(void) {
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    return terminal == NULL || strcmp(terminal, "dumb") == 0 || (no_color != NULL && no_color[0] != '\0');
}

bool cli_settings_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale == NULL || locale[0] == '\0') continue;
        return strcasestr(locale, "utf-8") != NULL || strcasestr(locale, "utf8") != NULL;
    }
    return false;
}
