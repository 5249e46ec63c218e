/* Writes captured launches. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/little_endian.h"
#include "launch_file.h"
#include "loader/zstd.h"

enum { LEVEL = 3 }; /* zstd's own usual one: the application waits */

static void put_number(jr_text *body, uint64_t number, int bytes) {
    uint8_t stored[8];
    jr_little_put(stored, number, bytes);
    jr_text_append_bytes(body, stored, (size_t)bytes);
}

static void put_bytes(jr_text *body, const void *bytes, uint64_t count) {
    put_number(body, count, 8);
    if (count > 0) jr_text_append_bytes(body, bytes, count);
}

static void put_text(jr_text *body, const char *text) {
    put_bytes(body, text, strlen(text));
    jr_text_append_bytes(body, "", 1);
}

/* ---- the body ---- */

static void put_named(jr_text *body, const jr_named_text *items, size_t count) {
    put_number(body, count, 4);
    for (size_t i = 0; i < count; i++) {
        put_text(body, items[i].name);
        put_text(body, items[i].text);
    }
}

static void put_texts(jr_text *body, const char *const *items, size_t count) {
    put_number(body, count, 4);
    for (size_t i = 0; i < count; i++) put_text(body, items[i]);
}

void jr_launch_file_put_program(jr_text *body, const jr_program *program) {
    put_number(body, program != NULL, 4);
    if (program == NULL) return;
    put_text(body, program->name);
    put_text(body, program->source);
    put_text(body, program->entry);
    put_named(body, program->constants, program->constant_count);
    put_named(body, program->headers, program->header_count);
    put_texts(body, program->options, program->option_count);
    put_texts(body, program->include_folders, program->include_folders != NULL ? program->include_folder_count : 0);
    put_number(body, program->toolkit_headers != 0, 4);
}

static void put_launch(jr_text *body, const jr_replay_info *info) {
    for (int i = 0; i < 3; i++) put_number(body, info->grid[i], 4);
    for (int i = 0; i < 3; i++) put_number(body, info->block[i], 4);
    put_number(body, info->shared_bytes, 4);
    put_number(body, info->dependent != 0, 4);
    put_text(body, info->device);
    put_text(body, info->failure);
}

static void put_argument(jr_text *body, const jr_replay_argument *argument) {
    put_text(body, argument->type);
    put_bytes(body, argument->value, argument->bytes);
    put_number(body, (uint64_t)(argument->buffer + 1), 4);
    put_number(body, argument->offset, 8);
}

static void put_buffer(jr_text *body, const jr_replay_buffer *buffer) {
    const bool same = buffer->after != NULL && memcmp(buffer->before, buffer->after, buffer->bytes) == 0;
    put_number(body,
               buffer->after == NULL ? JR_LAUNCH_AFTER_NONE
               : same                ? JR_LAUNCH_AFTER_SAME
                                     : JR_LAUNCH_AFTER_OTHER,
               4);
    put_bytes(body, buffer->before, buffer->bytes);
    if (buffer->after != NULL && !same) put_bytes(body, buffer->after, buffer->bytes);
}

static void put_all(jr_text *body, const jr_replay *launch, const jr_text *program) {
    jr_text_append_bytes(body, program->data, program->length);
    put_launch(body, &launch->info);
    put_bytes(body, launch->image->stored, launch->image->stored_bytes);
    put_number(body, launch->info.argument_count, 4);
    for (uint64_t i = 0; i < launch->info.argument_count; i++) put_argument(body, &launch->arguments[i]);
    put_number(body, launch->info.buffer_count, 4);
    for (uint64_t i = 0; i < launch->info.buffer_count; i++) put_buffer(body, &launch->buffers[i]);
}

/* ---- the file ---- */

static jr_status no_memory(void) {
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a captured launch");
}

static jr_status pack(const jr_zstd *zstd, const jr_text *body, jr_text *file) {
    const size_t room = zstd->ZSTD_compressBound(body->length);
    uint8_t *packed = malloc(room);
    void *level = zstd->ZSTD_createCDict(NULL, 0, LEVEL), *context = zstd->ZSTD_createCCtx();
    jr_status status = packed != NULL && level != NULL && context != NULL ? JR_OK : no_memory();
    if (status == JR_OK) {
        const size_t bytes = zstd->ZSTD_compress_usingCDict(context, packed, room, body->data, body->length, level);
        if (zstd->ZSTD_isError(bytes))
            status =
                jr_fail(JR_ERROR_FILE, "zstd does not compress a captured launch: %s", zstd->ZSTD_getErrorName(bytes));
        else
            jr_text_append_bytes(file, packed, bytes);
    }
    if (context != NULL) zstd->ZSTD_freeCCtx(context);
    if (level != NULL) zstd->ZSTD_freeCDict(level);
    free(packed);
    return status;
}

/* Compresses the body if zstd is installed; a missing zstd is not an error. */
static jr_status put_body(const jr_text *body, jr_text *file, bool *packed) {
    jr_zstd zstd = {0};
    jr_status status = JR_OK;
    *packed = jr_zstd_open(&zstd) == JR_OK;
    if (*packed)
        status = pack(&zstd, body, file);
    else
        jr_text_append_bytes(file, body->data, body->length);
    jr_zstd_close(&zstd);
    return status;
}

static void seal(jr_text *file, uint64_t body_bytes, bool packed) {
    uint8_t *head = (uint8_t *)file->data, digest[JR_DIGEST_BYTES];
    memcpy(head, JR_LAUNCH_MAGIC, sizeof JR_LAUNCH_MAGIC);
    jr_little_put(head + JR_LAUNCH_FORMAT_AT, JR_LAUNCH_FORMAT, 4);
    jr_little_put(head + JR_LAUNCH_CODING_AT, packed, 4);
    jr_little_put(head + JR_LAUNCH_FILE_BYTES_AT, file->length + JR_DIGEST_BYTES, 8);
    jr_little_put(head + JR_LAUNCH_BODY_BYTES_AT, body_bytes, 8);
    memcpy(head + JR_LAUNCH_LIBRARY_AT, jr_version(), strnlen(jr_version(), JR_LAUNCH_LIBRARY_BYTES - 1));
    jr_digest_of(head, file->length, digest);
    jr_text_append_bytes(file, digest, sizeof digest);
}

jr_status jr_launch_file_write(const jr_replay *launch, const jr_text *program, const char *folder, const char *name) {
    static const uint8_t header[JR_LAUNCH_HEADER_BYTES];
    jr_text body = {0}, file = {0};
    bool packed = false;
    put_all(&body, launch, program);
    jr_text_append_bytes(&file, header, sizeof header);
    jr_status status = jr_text_failed(&body) ? no_memory() : put_body(&body, &file, &packed);
    if (status == JR_OK && !jr_text_failed(&file)) seal(&file, body.length, packed);
    jr_text_free(&body);
    if (status == JR_OK)
        status = jr_text_failed(&file) ? no_memory() : jr_file_write(folder, name, file.data, file.length);
    jr_text_free(&file);
    return status;
}
