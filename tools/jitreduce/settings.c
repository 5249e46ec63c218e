/* Reads the environment for the command; the library reads its own settings itself. */
#include "settings.h"

#include <stdlib.h>

const cli_setting cli_settings[] = {
#define SETTING_ROW(variable, text) {variable, text},
    CLI_SETTINGS(SETTING_ROW)
#undef SETTING_ROW
};
const int cli_setting_count = sizeof cli_settings / sizeof *cli_settings;

const char *cli_settings_device(void) {
    const char *device = getenv("JITREDUCE_DEVICE");
    return device != NULL && device[0] != '\0' ? device : NULL;
}

void cli_settings_print(FILE *out, int values) {
    for (int i = 0; i < cli_setting_count; i++) {
        const char *value = getenv(cli_settings[i].variable);
        if (!values)
            fprintf(out, "  %-22s %s\n", cli_settings[i].variable, cli_settings[i].text);
        else if (value == NULL)
            fprintf(out, "    %-22s (not set)\n", cli_settings[i].variable);
        else
            fprintf(out, "  * %-22s \"%s\"\n", cli_settings[i].variable, value);
    }
}
