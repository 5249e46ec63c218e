/* What settings of the environment and options may say: the device, a driver call that shall fail. */
#include <stdlib.h>

#include "device/device.h"
#include "fuzz.h"
#include "sim/driver/jrsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bool simulated;
    int ordinal;
    char *text = fuzz_text(data, size);
    if (jr_device_parse(text, &simulated, &ordinal) == JR_OK) fuzz_demand(ordinal >= -1 && ordinal < 1024);
    fuzz_demand(jrsim_fail(text) == 0 || jrsim_fail(text) == 1);
    fuzz_demand(jrsim_fail(NULL) == 0);
    free(text);
    return 0;
}
