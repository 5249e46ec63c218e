/* What settings of the environment and options may say: the device, a driver call that shall fail. */
#include <stdlib.h>

#include "device/request.h"
#include "fuzz.h"
#include "sim/driver/fail.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jr_request request;
    char *text = fuzz_text(data, size);
    if (jr_request_parse(text, &request) == JR_OK) fuzz_demand(request.ordinal >= -1 && request.ordinal < 1024);
    fuzz_demand(jrs_fail_set(text) == 0 || jrs_fail_set(text) == 1);
    fuzz_demand(jrs_fail_set(NULL) == 0);
    free(text);
    return 0;
}
