/* Finds the arguments in what the simulator reports of a fault. */
#include "run_fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_BYTES = 2048 };

/* "... (719: unspecified launch failure: data race: kernel k, ...); the CUDA context is lost" -> "data race: kernel k,
 * ..."; false: the message has no report of the simulator's. */
static bool report_of(const char *message, char report[MESSAGE_BYTES]) {
    static const char *const begins[] = {
        " memory access was encountered: ", " launch failure: ", " misaligned address: "};
    static const char end[] = "); the CUDA context is lost";
    const char *begin = NULL, *kernel = strstr(message, ": kernel ");
    for (size_t i = 0; begin == NULL && i < sizeof begins / sizeof *begins; i++) {
        begin = strstr(message, begins[i]);
        if (begin != NULL) begin += strlen(begins[i]);
    }
    if (begin == NULL || kernel == NULL || kernel < begin) return false;
    snprintf(report, MESSAGE_BYTES, "%s", begin);
    char *at = strstr(report, end);
    if (at != NULL) *at = '\0';
    return true;
}

/* The array whose allocation a report names: "past the end of device allocation [0x7f00, 0x7f0c)"; NULL: none. Writes
 * where that text begins and ends. */
static const cli_argument *find_named(const cli_argument *arguments, size_t count, const char *report,
                                      const char **begin, const char **end) {
    static const char says[] = "device allocation [";
    *begin = strstr(report, says);
    if (*begin == NULL || (*end = strchr(*begin, ')')) == NULL) return NULL;
    const uint64_t address = strtoull(*begin + sizeof says - 1, NULL, 16);
    for (size_t i = 0; i < count; i++)
        if (arguments[i].array && (uintptr_t)arguments[i].device == address) return &arguments[i];
    return NULL;
}

/* The index of an array's element at an address that is one of -1, -2, ... computed in 32 bits without a sign; 0: it is
 * not. */
static int64_t find_wrapped(const cli_argument *argument, uint64_t address) {
    const uint64_t from = (uintptr_t)argument->device, wrap = UINT64_C(1) << 32, least = wrap - (1 << 20);
    const uint64_t size = jr_type_size(argument->data.type);
    if (!argument->array || address <= from || (address - from) % size != 0) return 0;
    const uint64_t index = (address - from) / size;
    return index >= least && index < wrap ? (int64_t)index - (int64_t)wrap : 0;
}

cli_exit cli_run_fail(const cli_argument *arguments, size_t count, jr_status status, cli_error *error) {
    char report[MESSAGE_BYTES];
    const char *begin, *end, *at;
    const cli_exit code = cli_fail_library(error, status);
    if (status != JR_ERROR_DEVICE_FAULT || !report_of(jr_last_error()->message, report)) return code;
    const cli_argument *named = find_named(arguments, count, report, &begin, &end);
    if (named != NULL)
        return cli_fail(error, code, "%.*sargument %zu ('%.200s')%s", (int)(begin - report), report, named->number,
                        named->text, end + 1);
    at = strstr(report, "address 0x");
    const uint64_t address = at != NULL ? strtoull(at + strlen("address "), NULL, 16) : 0;
    for (size_t i = 0; address != 0 && i < count; i++) {
        const int64_t index = find_wrapped(&arguments[i], address);
        if (index != 0)
            return cli_fail(error, code,
                            "%.*saddress 0x%" PRIx64 ": element %" PRIu64 " of argument %zu ('%.200s'): %" PRId64
                            ", computed in 32 bits without a sign",
                            (int)(at - report), report, address, (UINT64_C(1) << 32) + (uint64_t)index,
                            arguments[i].number, arguments[i].text, index);
    }
    return cli_fail(error, code, "%s", report);
}
