/* jitreduce doctor: every candidate that was looked at, what was taken, and whether a reduction can run here. */
#include <stdio.h>
#include <string.h>

#include "base/cli_settings.h"
#include "io/report.h"
#include "options/command.h"

/* The line works on Debian (with python3-venv), Fedora and Arch alike, and what it installs is found without a setting.
 */
#define INSTALL_NVRTC                                                                                                  \
    "run 'python3 -m venv ~/.local/share/jitreduce/nvrtc && ~/.local/share/jitreduce/nvrtc/bin/pip install "           \
    "nvidia-cuda-nvrtc' or install a CUDA toolkit, or set JITREDUCE_NVRTC to its path"

/* What the findings add up to. */
typedef struct diagnosis {
    char component[32]; /* of the finding before, for the headings */
    bool driver, device, nvrtc, pack, simulator;
    bool json;
} diagnosis;

static bool is_text(const char *text) {
    return text != NULL && text[0] != '\0';
}

static void print_text(const diagnosis *sum, const jr_finding *finding) {
    if (strcmp(sum->component, finding->component) != 0) printf("%s\n", finding->component);
    printf("  %c %s", finding->chosen ? '*' : ' ', is_text(finding->path) ? finding->path : "(none)");
    if (is_text(finding->origin)) printf("  [%s]", finding->origin);
    if (is_text(finding->detail)) printf("  %s", finding->detail);
    putchar('\n');
}

static void print_object(const diagnosis *sum, const jr_finding *finding) {
    cli_json_text(stdout, sum->component[0] != '\0' ? ", {\"component\": " : "{\"component\": ", finding->component);
    cli_json_text(stdout, ", \"path\": ", is_text(finding->path) ? finding->path : "");
    cli_json_text(stdout, ", \"origin\": ", is_text(finding->origin) ? finding->origin : "");
    cli_json_text(stdout, ", \"detail\": ", is_text(finding->detail) ? finding->detail : "");
    printf(", \"chosen\": %s}", finding->chosen ? "true" : "false");
}

static void take_finding(void *user, const jr_finding *finding) {
    diagnosis *sum = user;
    (sum->json ? print_object : print_text)(sum, finding);
    snprintf(sum->component, sizeof sum->component, "%s", finding->component);
    if (!finding->chosen) return;
    sum->driver |= strcmp(finding->component, "driver") == 0;
    sum->device |= strcmp(finding->component, "device") == 0;
    sum->nvrtc |= strcmp(finding->component, "nvrtc") == 0;
    sum->pack |= strcmp(finding->component, "pack") == 0;
    sum->simulator |= strcmp(finding->component, "simulator") == 0;
}

static bool wants_simulator(const cli_options *options) {
    return strcmp(options->device, "sim") == 0 || strncmp(options->device, "sim:", 4) == 0 ||
           strncmp(options->device, "sim#", 4) == 0;
}

/* Where a reduction would run with --device as it is; NULL: nowhere. */
static const char *find_place(const cli_options *options, const diagnosis *sum) {
    bool gpu = sum->driver && sum->device;
    if (!sum->nvrtc && !sum->pack) return NULL;
    if (!wants_simulator(options) && gpu) return "the GPU";
    if (!wants_simulator(options) && strcmp(options->device, "auto") != 0) return NULL;
    return sum->simulator ? "the PTX simulator" : NULL;
}

static cli_exit fail_diagnosis(const cli_options *options, const diagnosis *sum, cli_error *error) {
    if (!sum->nvrtc && !sum->pack) return cli_fail(error, CLI_NO_DEVICE, "no NVRTC: " INSTALL_NVRTC);
    if (wants_simulator(options))
        return cli_fail(error, CLI_NO_DEVICE,
                        "no simulator: install libjrsim.so next to libjitreduce.so, or set JITREDUCE_SIM to its path");
    if (strcmp(options->device, "auto") == 0)
        return cli_fail(error, CLI_NO_DEVICE,
                        "no GPU and no simulator: install an NVIDIA driver, or libjrsim.so next to libjitreduce.so");
    return cli_fail(error, CLI_NO_DEVICE, "no GPU for --device %s: install an NVIDIA driver, or use --device sim",
                    options->device);
}

static void print_begin(const diagnosis *sum) {
    if (!sum->json)
        printf("jitreduce %s (* is what will be used)\n", jr_version());
    else
        printf("{\"version\": \"%s\", \"findings\": [", jr_version());
}

/* The settings, and where a reduction would run: null if it cannot. */
static void print_end(const diagnosis *sum, const char *place) {
    fputs("], \"settings\": {", stdout);
    for (int i = 0; i < jr_variable_count(); i++) {
        const jr_variable variable = jr_variable_get(i);
        cli_json_text(stdout, i > 0 ? ", " : "", variable.name);
        if (variable.value != NULL)
            cli_json_text(stdout, ": ", variable.value);
        else
            fputs(": null", stdout);
    }
    fputs("}, \"runs_on\": ", stdout);
    if (place != NULL)
        cli_json_text(stdout, "", place);
    else
        fputs("null", stdout);
    printf(", \"packs_only\": %s}\n", place != NULL && !sum->nvrtc ? "true" : "false");
}

cli_exit cli_doctor_run(const cli_options *options, cli_error *error) {
    diagnosis sum = {.json = options->json};
    jr_options wanted = JR_INIT(jr_options, .device = options->device);
    print_begin(&sum);
    jr_status status = jr_doctor(&wanted, take_finding, &sum);
    if (status != JR_OK) return cli_fail_library(error, status);
    const char *place = find_place(options, &sum);
    if (sum.json) {
        print_end(&sum, place);
        return place != NULL ? CLI_OK : fail_diagnosis(options, &sum, error);
    }
    printf("settings\n");
    cli_settings_print(stdout, 1);
    if (place == NULL) return fail_diagnosis(options, &sum, error);
    if (sum.nvrtc)
        printf("A reduction can run here, on %s.\n", place);
    else
        printf("Packs only: the kernels they hold can run here, on %s. Others need NVRTC: " INSTALL_NVRTC ".\n", place);
    return CLI_OK;
}
