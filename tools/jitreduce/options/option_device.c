/* Takes the device from the command line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/suggest.h"
#include "option_take.h"

/* "2", "0,2": up to 4 digits each. */
static bool are_numbers(const char *list) {
    for (;; list++) {
        const size_t digits = strspn(list, "0123456789");
        if (digits == 0 || digits > 4) return false;
        list += digits;
        if (*list != ',') return *list == '\0';
    }
}

/* Other names of devices. */
static const char *const other_devices[][2] = {
    {"gpu", "cuda"}, {"nvidia", "cuda"}, {"cuda", "cuda"},     {"cpu", "sim"},   {"host", "sim"},
    {"sim", "sim"},  {"simul", "sim"},   {"simulator", "sim"}, {"auto", "auto"}, {"any", "auto"},
};

/* "; did you mean 'sim:2'?" of "simm:2", "cuda:0" of "0" and of "gpu:0". */
static const char *hint_device(const char *typed, char *hint) {
    static const char *const kinds[] = {"auto", "cuda", "sim"};
    char kind[CLI_SUGGEST_BYTES];
    const size_t length = strcspn(typed, ":#");
    if (are_numbers(typed)) {
        snprintf(hint, CLI_HINT_BYTES, "; did you mean 'cuda:%.64s'?", typed);
        return hint;
    }
    if (typed[0] != '\0' && typed[1] == '\0' && ispunct((unsigned char)typed[0]))
        return "; the character between columns is --delimiter";
    snprintf(kind, sizeof kind, "%.*s", (int)length, typed);
    for (size_t i = 0; i < sizeof other_devices / sizeof *other_devices; i++) {
        const char *meant = other_devices[i][1];
        if (strcasecmp(kind, other_devices[i][0]) != 0 || strcmp(kind, meant) == 0) continue;
        snprintf(hint, CLI_HINT_BYTES, "; did you mean '%s%.64s'?%s", meant, typed + length,
                 strcmp(meant, "sim") == 0 ? " (the simulator, which runs on the CPU)" : "");
        return hint;
    }
    cli_nearest nearest = {.typed = kind};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) cli_nearest_offer(&nearest, kinds[i], strlen(kinds[i]));
    const size_t used = strlen(nearest.word);
    if (used == 0 || strcmp(nearest.word, kind) == 0) return SEE_HELP; /* the text after the colon is wrong */
    snprintf(nearest.word + used, sizeof nearest.word - used, "%s", typed + length);
    return cli_nearest_hint(&nearest, "", hint);
}

cli_exit cli_take_device(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    (void)option;
    char hint[CLI_HINT_BYTES];
    const char *number = strncmp(argument, "cuda:", 5) == 0  ? argument + 5
                         : strncmp(argument, "sim:", 4) == 0 ? argument + 4
                                                             : NULL;
    const bool chosen = strncmp(argument, "sim#", 4) == 0 && strchr(argument, ',') == NULL && are_numbers(argument + 4);
    const bool numbered = chosen || (number != NULL && (are_numbers(number) || strcmp(number, "all") == 0));
    if (!numbered && strcmp(argument, "auto") != 0 && strcmp(argument, "cuda") != 0 && strcmp(argument, "sim") != 0)
        return cli_fail(error, CLI_USAGE, "--device: '%s' is not one of" CLI_DEVICES "%s", argument,
                        hint_device(argument, hint));
    if (strncmp(argument, "sim:", 4) == 0 && strchr(argument, ',') == NULL && strtol(argument + 4, NULL, 10) == 0 &&
        strcmp(argument, "sim:all") != 0)
        return cli_fail(error, CLI_USAGE,
                        "--device: '%s' is a group of 0 devices: sim:4 are four, sim#0 is the first of several",
                        argument);
    options->device = argument;
    return CLI_OK;
}
