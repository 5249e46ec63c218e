/* Tells where a buffer differs from what it was. */
#include "replay_tell.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "io/data.h"
#include "io/report.h"

enum { SHOWN_BYTES = 8 };

/* An element; of one that is not whole, or of no type, bytes. `left` bytes are there. */
static void print_element(jr_type type, const unsigned char *at, uint64_t left) {
    char text[CLI_VALUE_BYTES];
    jr_value value = {.type = type};
    if (type != JR_TYPE_NONE && left >= jr_type_size(type)) {
        memcpy(value.as.bytes, at, jr_type_size(type));
        fputs(cli_value_text(&value, NULL, text), stdout);
    } else {
        for (uint64_t i = 0; i < left && i < SHOWN_BYTES; i++) printf("%02x", at[i]);
    }
}

bool cli_replay_tell(const jr_replay_buffer *buffer, const unsigned char *now, jr_type type) {
    const unsigned char *then = buffer->after;
    const size_t size = type == JR_TYPE_NONE ? 1 : jr_type_size(type);
    uint64_t count = 0, first = 0;
    for (uint64_t i = 0; i < buffer->bytes; i += size) {
        const uint64_t left = buffer->bytes - i;
        if (memcmp(then + i, now + i, left < size ? left : size) != 0 && count++ == 0) first = i;
    }
    printf(": %" PRIu64 " bytes, ", buffer->bytes);
    if (count == 0) {
        puts(buffer->after == buffer->before ? "unchanged, as then" : "the same as then");
        return false;
    }
    printf("%" PRIu64 " differ; the first at %s %" PRIu64 ": ", count,
           type == JR_TYPE_NONE ? "byte" : cli_type_name(type), first / size);
    print_element(type, then + first, buffer->bytes - first);
    fputs(" then, ", stdout);
    print_element(type, now + first, buffer->bytes - first);
    puts(" now");
    return true;
}
