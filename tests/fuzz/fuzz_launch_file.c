/* A captured launch. Its digest and its lengths are corrected in every second input, so that the code after their
 * checks is reached. */
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "fuzz.h"
#include "kernel/launch_file.h"

static void put_right(uint8_t *stored, size_t size) {
    const uint64_t coding = jr_little_get(stored + JR_LAUNCH_CODING_AT, 4);
    jr_little_put(stored + JR_LAUNCH_FILE_BYTES_AT, size, 8);
    if (coding == 0)
        jr_little_put(stored + JR_LAUNCH_BODY_BYTES_AT, size - JR_LAUNCH_HEADER_BYTES - JR_DIGEST_BYTES, 8);
    jr_digest_of(stored, size - JR_DIGEST_BYTES, stored + size - JR_DIGEST_BYTES);
}

/* Reads all that it gives. */
static void look(const jr_replay *replay) {
    volatile size_t sum = 0;
    for (uint64_t i = 0; i < replay->info.argument_count; i++) {
        const jr_replay_argument *argument = &replay->arguments[i];
        for (size_t at = 0; at < argument->bytes; at++) sum += ((const uint8_t *)argument->value)[at];
        if (argument->buffer < 0) continue;
        fuzz_demand((uint64_t)argument->buffer < replay->info.buffer_count && argument->bytes == 8);
        fuzz_demand(argument->offset < replay->buffers[argument->buffer].bytes);
    }
    for (uint64_t i = 0; i < replay->info.buffer_count; i++) {
        const jr_replay_buffer *buffer = &replay->buffers[i];
        for (uint64_t at = 0; at < buffer->bytes; at++) sum += ((const uint8_t *)buffer->before)[at];
        for (uint64_t at = 0; buffer->after != NULL && at < buffer->bytes; at++)
            sum += ((const uint8_t *)buffer->after)[at];
    }
    for (size_t i = 0; replay->has_program && i < replay->program.constant_count; i++)
        sum += strlen(replay->program.constants[i].name) + strlen(replay->program.constants[i].text);
    fuzz_demand(replay->image != NULL);
    (void)sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jr_replay *replay = NULL;
    uint8_t *stored = (uint8_t *)fuzz_text(data, size);
    if (size >= JR_LAUNCH_HEADER_BYTES + JR_DIGEST_BYTES && size % 2 == 0) put_right(stored, size);
    if (jr_launch_file_read(fuzz_file(stored, size), &replay) == JR_OK) look(replay);
    jr_launch_file_free(replay);
    free(stored);
    return 0;
}
