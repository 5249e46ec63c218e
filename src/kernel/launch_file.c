/* Reads captured launches; what the file says is believed of nothing. */
#include "launch_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files.h"
#include "base/little_endian.h"
#include "loader/zstd.h"

/* ---- the body ---- */

/* What is left of the body; bad: something did not fit, and all that follows is 0. */
typedef struct cursor {
    const uint8_t *at;
    uint64_t left;
    bool bad, no_memory;
} cursor;

static const uint8_t *take(cursor *body, uint64_t bytes) {
    static const uint8_t nothing[8];
    if (body->bad || bytes > body->left) {
        body->bad = true;
        return nothing;
    }
    const uint8_t *at = body->at;
    body->at += bytes;
    body->left -= bytes;
    return at;
}

static uint32_t take_number(cursor *body) {
    return (uint32_t)jr_little_get(take(body, 4), 4);
}

static uint64_t take_long(cursor *body) {
    return jr_little_get(take(body, 8), 8);
}

static const uint8_t *take_bytes(cursor *body, uint64_t *count) {
    *count = take_long(body);
    const uint8_t *at = take(body, *count);
    if (body->bad) *count = 0;
    return at;
}

static const char *take_text(cursor *body) {
    uint64_t bytes;
    const char *text = (const char *)take_bytes(body, &bytes);
    const uint8_t *end = take(body, 1);
    if (*end != '\0' || memchr(text, '\0', bytes) != NULL) body->bad = true;
    return body->bad ? "" : text;
}

static void copy_text(cursor *body, char *to, size_t room) {
    snprintf(to, room, "%s", take_text(body));
}

/* A list of so many items, each of which takes 8 bytes of the body at least. */
static void *take_list(cursor *body, size_t item_bytes, uint64_t *count) {
    *count = take_number(body);
    if (*count > body->left / 8) body->bad = true;
    if (body->bad) *count = 0;
    void *list = *count > 0 ? calloc(*count, item_bytes) : NULL;
    if (*count > 0 && list == NULL) {
        *count = 0;
        body->bad = body->no_memory = true;
    }
    return list;
}

static jr_named_text *take_named(cursor *body, size_t *count) {
    jr_named_text *list = take_list(body, sizeof *list, count);
    for (size_t i = 0; i < *count; i++) {
        list[i].name = take_text(body);
        list[i].text = take_text(body);
    }
    return list;
}

static const char **take_texts(cursor *body, size_t *count) {
    const char **list = take_list(body, sizeof *list, count);
    for (size_t i = 0; i < *count; i++) list[i] = take_text(body);
    return list;
}

static void take_program(cursor *body, jr_replay *replay) {
    jr_program *program = &replay->program;
    const uint32_t there = take_number(body);
    if (there > 1) body->bad = true;
    if (there != 1) return;
    replay->has_program = true;
    *program = JR_INIT(jr_program, .name = take_text(body));
    program->source = take_text(body);
    program->entry = take_text(body);
    program->constants = replay->lists[0] = take_named(body, &program->constant_count);
    program->headers = replay->lists[1] = take_named(body, &program->header_count);
    program->options = replay->lists[2] = take_texts(body, &program->option_count);
    program->include_folders = replay->lists[3] = take_texts(body, &program->include_folder_count);
    program->toolkit_headers = take_number(body) != 0;
}

static void take_launch(cursor *body, jr_replay_info *info) {
    for (int i = 0; i < 3; i++) info->grid[i] = take_number(body);
    for (int i = 0; i < 3; i++) info->block[i] = take_number(body);
    info->shared_bytes = take_number(body);
    info->dependent = take_number(body) != 0;
    copy_text(body, info->device, sizeof info->device);
    copy_text(body, info->failure, sizeof info->failure);
}

static void take_image(cursor *body, jr_replay *replay) {
    uint64_t bytes;
    const uint8_t *stored = take_bytes(body, &bytes);
    if (body->bad) return;
    const jr_status status = jr_image_decode(stored, bytes, NULL, &replay->image);
    if (status != JR_OK) body->bad = true;
    if (status == JR_ERROR_OUT_OF_MEMORY) body->no_memory = true;
}

static void take_arguments(cursor *body, jr_replay *replay) {
    replay->arguments = take_list(body, sizeof *replay->arguments, &replay->info.argument_count);
    for (uint64_t i = 0; i < replay->info.argument_count; i++) {
        jr_replay_argument *argument = &replay->arguments[i];
        copy_text(body, argument->type, sizeof argument->type);
        argument->value = take_bytes(body, &argument->bytes);
        argument->buffer = (int64_t)take_number(body) - 1;
        argument->offset = take_long(body);
    }
}

static void take_buffers(cursor *body, jr_replay *replay) {
    replay->buffers = take_list(body, sizeof *replay->buffers, &replay->info.buffer_count);
    for (uint64_t i = 0; i < replay->info.buffer_count; i++) {
        jr_replay_buffer *buffer = &replay->buffers[i];
        uint64_t bytes;
        const uint32_t kind = take_number(body);
        buffer->before = take_bytes(body, &buffer->bytes);
        if (kind > JR_LAUNCH_AFTER_OTHER) body->bad = true;
        if (kind == JR_LAUNCH_AFTER_SAME) buffer->after = buffer->before;
        if (kind != JR_LAUNCH_AFTER_OTHER) continue;
        buffer->after = take_bytes(body, &bytes);
        if (bytes != buffer->bytes) body->bad = true;
    }
}

/* Every argument that points into a buffer is a pointer to something in it. */
static bool points_well(const jr_replay *replay) {
    for (uint64_t i = 0; i < replay->info.argument_count; i++) {
        const jr_replay_argument *argument = &replay->arguments[i];
        if (argument->buffer < 0) continue;
        if ((uint64_t)argument->buffer >= replay->info.buffer_count || argument->bytes != sizeof(void *)) return false;
        if (argument->offset >= replay->buffers[argument->buffer].bytes) return false;
    }
    return true;
}

/* ---- the file ---- */

typedef struct stored_file {
    const char *path;
    uint8_t *bytes;
    uint64_t count;
} stored_file;

static jr_status refuse(const stored_file *file, const char *reason) {
    return jr_fail(JR_ERROR_FILE, "%s is not a captured launch that can be read: %s", file->path, reason);
}

static jr_status take_body(const stored_file *file, jr_replay *replay, uint64_t bytes) {
    cursor body = {.at = replay->body, .left = bytes};
    take_program(&body, replay);
    take_launch(&body, &replay->info);
    take_image(&body, replay);
    take_arguments(&body, replay);
    take_buffers(&body, replay);
    if (body.no_memory) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for what %s holds", file->path);
    return !body.bad && body.left == 0 && points_well(replay) ? JR_OK
                                                              : refuse(file, "what is in it does not fit together");
}

static jr_status unpack(const stored_file *file, const uint8_t *packed, uint64_t count, uint8_t *body, uint64_t bytes) {
    jr_zstd zstd = {0};
    JR_TRY(jr_zstd_open(&zstd));
    void *context = zstd.ZSTD_createDCtx();
    const size_t got =
        context != NULL ? zstd.ZSTD_decompress_usingDict(context, body, bytes, packed, count, NULL, 0) : 0;
    if (context != NULL) zstd.ZSTD_freeDCtx(context);
    jr_zstd_close(&zstd);
    if (context == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for unpacking %s", file->path);
    return got == bytes ? JR_OK : refuse(file, "it does not unpack");
}

static jr_status make_body(const stored_file *file, bool packed, uint64_t bytes, uint8_t **body) {
    const uint8_t *from = file->bytes + JR_LAUNCH_HEADER_BYTES;
    const uint64_t count = file->count - JR_LAUNCH_HEADER_BYTES - JR_DIGEST_BYTES;
    if (packed ? bytes / JR_LAUNCH_PACKED_MAX > count : bytes != count)
        return refuse(file, "a length in it is too large");
    uint8_t *made = malloc(bytes + 1);
    if (made == NULL)
        return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the %" PRIu64 " bytes that %s holds", bytes, file->path);
    *body = made;
    if (packed) return unpack(file, from, count, made, bytes);
    memcpy(made, from, bytes);
    return JR_OK;
}

static jr_status check_seal(const stored_file *file) {
    uint8_t digest[JR_DIGEST_BYTES];
    if (file->count < JR_LAUNCH_HEADER_BYTES + JR_DIGEST_BYTES) return refuse(file, "it is too short");
    if (memcmp(file->bytes, JR_LAUNCH_MAGIC, sizeof JR_LAUNCH_MAGIC) != 0)
        return refuse(file, "it does not begin as one");
    const uint32_t format = (uint32_t)jr_little_get(file->bytes + JR_LAUNCH_FORMAT_AT, 4);
    if (format != JR_LAUNCH_FORMAT)
        return jr_fail(JR_ERROR_FILE, "%s has format %u, and this version reads %d: capture the launch again",
                       file->path, format, JR_LAUNCH_FORMAT);
    if (jr_little_get(file->bytes + JR_LAUNCH_FILE_BYTES_AT, 8) != file->count)
        return refuse(file, "its length is not what it says: it was cut");
    jr_digest_of(file->bytes, file->count - JR_DIGEST_BYTES, digest);
    return memcmp(digest, file->bytes + file->count - JR_DIGEST_BYTES, JR_DIGEST_BYTES) == 0
               ? JR_OK
               : refuse(file, "its seal does not fit: it was changed");
}

static jr_status take_file(const stored_file *file, jr_replay *replay) {
    const uint8_t *head = file->bytes;
    JR_TRY(check_seal(file));
    const uint64_t coding = jr_little_get(head + JR_LAUNCH_CODING_AT, 4);
    const uint64_t bytes = jr_little_get(head + JR_LAUNCH_BODY_BYTES_AT, 8);
    if (coding > 1 || head[JR_LAUNCH_LIBRARY_AT + JR_LAUNCH_LIBRARY_BYTES - 1] != '\0')
        return refuse(file, "its head does not fit together");
    replay->info.bytes = file->count;
    snprintf(replay->info.library, sizeof replay->info.library, "%s", (const char *)head + JR_LAUNCH_LIBRARY_AT);
    JR_TRY(make_body(file, coding == 1, bytes, &replay->body));
    return take_body(file, replay, bytes);
}

static jr_status read_bytes(stored_file *file) {
    int descriptor = -1;
    JR_TRY(jr_file_open_trusted(file->path, &descriptor, &file->count));
    file->bytes = malloc(file->count + 1);
    const jr_status status = file->bytes != NULL ? jr_file_read_at(descriptor, file->path, 0, file->bytes, file->count)
                                                 : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for %s", file->path);
    close(descriptor);
    return status;
}

jr_status jr_launch_file_read(const char *path, jr_replay **replay) {
    stored_file file = {.path = path};
    jr_replay *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a captured launch");
    jr_status status = read_bytes(&file);
    if (status == JR_OK) status = take_file(&file, made);
    free(file.bytes);
    if (status == JR_OK)
        *replay = made;
    else
        jr_launch_file_free(made);
    return status;
}

void jr_launch_file_free(jr_replay *replay) {
    if (replay == NULL) return;
    for (size_t i = 0; i < sizeof replay->lists / sizeof *replay->lists; i++) free(replay->lists[i]);
    jr_image_free(replay->image);
    free(replay->arguments);
    free(replay->buffers);
    free(replay->body);
    free(replay);
}
