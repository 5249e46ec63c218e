/* Stored tunings. Every second input is sealed, so that its lines are read. */
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "fuzz.h"
#include "wisdom/wisdom_text.h"

/* What is taken is exactly what would be printed. */
static void read_text(char *text, size_t count) {
    jr_wisdom wisdom = {0};
    jr_text again = {0};
    char *kept = fuzz_text((const uint8_t *)text, count);
    if (jr_wisdom_parse(text, count, &wisdom) == JR_OK) {
        jr_wisdom_print(&wisdom, &again);
        fuzz_demand(again.length == count && memcmp(jr_text_string(&again), kept, count) == 0);
        jr_text_free(&again);
        jr_wisdom_free(&wisdom);
    }
    free(kept);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    if (size % 2 == 1) {
        read_text(text, size);
    } else {
        jr_text sealed = {0};
        jr_text_append(&sealed, "%s", text);
        jr_seal_append(&sealed);
        char *copy = fuzz_text((const uint8_t *)jr_text_string(&sealed), sealed.length);
        read_text(copy, sealed.length);
        free(copy);
        jr_text_free(&sealed);
    }
    free(text);
    return 0;
}
