/* Finds the versions of driver and NVRTC. */
#include "versions.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The first word of the first line that is digits and dots. */
void cli_driver_version(char version[CLI_VERSION_BYTES]) {
    char line[256];
    FILE *file = fopen("/proc/driver/nvidia/version", "r");
    version[0] = '\0';
    if (file == NULL) return;
    if (fgets(line, sizeof line, file) != NULL)
        for (char *rest = NULL, *word = strtok_r(line, " \t\n", &rest); word != NULL;
             word = strtok_r(NULL, " \t\n", &rest)) {
            if (!isdigit((unsigned char)word[0]) || word[strspn(word, "0123456789.")] != '\0') continue;
            snprintf(version, CLI_VERSION_BYTES, "%s", word);
            break;
        }
    fclose(file);
}

/* Of all findings the one that says the version. */
static void take_nvrtc(void *user, const jr_finding *finding) {
    char *taken = user;
    if (!finding->chosen || strcmp(finding->component, "nvrtc") != 0 || strcmp(finding->origin, "version") != 0) return;
    const char *version = strncmp(finding->detail, "version ", 8) == 0 ? finding->detail + 8 : finding->detail;
    snprintf(taken, CLI_VERSION_BYTES, "%.*s", (int)strcspn(version, ","), version);
}

jr_status cli_nvrtc_version(char version[CLI_VERSION_BYTES]) {
    version[0] = '\0';
    return jr_doctor(NULL, take_nvrtc, version);
}
