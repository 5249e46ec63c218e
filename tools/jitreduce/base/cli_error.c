/* Turns failures of the command and of the library into one line and an exit code. */
#include "cli_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "library_words.h"
#include "utf8.h"

#define SEE_DOCTOR "'jitreduce doctor' shows what was tried"

/* Statuses that do not mean exit 1, and what helps beyond what the library says (which is what to install). */
static const struct {
    jr_status status;
    cli_exit code;
    const char *advice;
} advised[] = {
    {JR_ERROR_DRIVER_NOT_FOUND, CLI_NO_DEVICE, "--device sim needs no GPU; " SEE_DOCTOR},
    {JR_ERROR_NO_DEVICE, CLI_NO_DEVICE, "--device sim needs no GPU; " SEE_DOCTOR},
    {JR_ERROR_SIMULATOR_NOT_FOUND, CLI_NO_DEVICE, SEE_DOCTOR},
    {JR_ERROR_NVRTC_NOT_FOUND, CLI_NO_DEVICE, SEE_DOCTOR},
    {JR_ERROR_NOT_APPLICABLE, CLI_USAGE, "see 'jitreduce --help'"},
    {JR_ERROR_INVALID_EXPRESSION, CLI_USAGE, ""},
};

void cli_error_set(cli_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    error->log[0] = '\0';
    error->of_another = false;
    error->of_type = false;
}

cli_exit cli_fail_library(cli_error *error, jr_status status) {
    const jr_error *last = jr_last_error();
    cli_exit code = CLI_FAILURE;
    const char *advice = "";
    error->of_another = status == JR_ERROR_RANK;
    error->of_type = false;
    for (size_t i = 0; i < sizeof advised / sizeof *advised; i++) {
        if (advised[i].status != status) continue;
        code = advised[i].code;
        advice = advised[i].advice;
    }
    /* A driver's name that the sentence already holds is not said twice. */
    int named = last->driver_name[0] == '\0' || strstr(last->message, last->driver_name) != NULL;
    snprintf(error->message, sizeof error->message, "%s%s%s%s%s%s",
             last->message[0] ? last->message : jr_status_text(status), named ? "" : " (",
             named ? "" : last->driver_name, named ? "" : ")", advice[0] ? "; " : "", advice);
    for (char *at = error->message; (at = strchr(at, '\n')) != NULL;) *at = ' '; /* one line, whatever it was */
    cli_name_options(error->message, sizeof error->message);
    /* The log of a search is what doctor prints; a compiler's log is shown. */
    snprintf(error->log, sizeof error->log, "%s", code == CLI_NO_DEVICE ? "" : last->log);
    return code;
}

void cli_error_print(const cli_error *error) {
    fprintf(stderr, "jitreduce: %s\n", error->message);
    size_t length = strlen(error->log);
    if (length != 0) fprintf(stderr, "%s%s", error->log, error->log[length - 1] == '\n' ? "" : "\n");
}

const char *cli_quote(const char *begin, const char *end, char *buffer) {
    enum { SHOWN = 40 };
    char *out = buffer;
    const char *limit = buffer + SHOWN;
    const char *at = begin;
    while (at < end && out < limit) {
        const unsigned char *c = (const unsigned char *)at;
        const size_t bytes = cli_utf8_bytes(c, (size_t)(end - at));
        const bool controls = *c < 0x20 || *c == 0x7f || (*c == 0xc2 && bytes == 2 && c[1] < 0xa0);
        if (bytes > 0 && !controls) {
            memcpy(out, at, bytes);
            out += bytes;
            at += bytes;
        } else {
            out += snprintf(out, 5, "\\x%02x", *c);
            at++;
        }
    }
    snprintf(out, 4, "%s", at < end ? "..." : "");
    return buffer;
}
