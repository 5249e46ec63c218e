/* Writes packs. Their form stands in pack_form.h. */
#include "pack_write.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/files.h"
#include "base/little_endian.h"
#include "base/text.h"
#include "loader/zstd.h"

/* A dictionary of 110 KiB is zstd's own usual size; it is worth while where it is a small part of what it is for. Level
 * 19 is the highest that needs no more memory to read. Source: zdict.h, zstd.h of zstd 1.5. */
enum { DICTIONARY_BYTES_MAX = 110 << 10, DICTIONARY_BYTES_MIN = 1 << 10, DICTIONARY_SHARE = 20, LEVEL = 19 };

/* A pack in the making. */
typedef struct pack_writing {
    const jr_pack_content *content;
    jr_zstd zstd;
    uint8_t *head, *row; /* where the next row goes */
    uint64_t head_bytes;
    jr_text body; /* what follows the head */
} pack_writing;

static jr_status no_memory(void) {
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a pack");
}

static int in_order(const void *left, const void *right) {
    const jr_pack_item *a = left, *b = right;
    if (a->section != b->section) return a->section < b->section ? -1 : 1;
    return memcmp(a->text_key.bytes, b->text_key.bytes, JR_DIGEST_BYTES);
}

/* ---- compressing ---- */

/* What compresses the images of a section. */
typedef struct section_coder {
    uint8_t *dictionary;
    size_t dictionary_bytes;
    void *prepared, *context; /* zstd's; of a pack that is compressed */
} section_coder;

static size_t sum_of(const jr_pack_item *items, uint32_t count) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) bytes += items[i].image->stored_bytes;
    return bytes;
}

/* Makes a dictionary of a section's images; that none can be made of them is no failure. */
static jr_status train(const jr_zstd *zstd, const jr_pack_item *items, uint32_t count, section_coder *coder) {
    const size_t all = sum_of(items, count), share = all / DICTIONARY_SHARE;
    const size_t room = share < DICTIONARY_BYTES_MAX ? share : DICTIONARY_BYTES_MAX;
    if (room < DICTIONARY_BYTES_MIN) return JR_OK;
    uint8_t *samples = malloc(all), *at = samples, *dictionary = malloc(room);
    size_t *sizes = calloc(count, sizeof *sizes);
    const bool good = samples != NULL && dictionary != NULL && sizes != NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        sizes[i] = items[i].image->stored_bytes;
        memcpy(at, items[i].image->stored, sizes[i]);
        at += sizes[i];
    }
    const size_t made = good ? zstd->ZDICT_trainFromBuffer(dictionary, room, samples, sizes, count) : 0;
    free(samples);
    free(sizes);
    coder->dictionary = dictionary;
    if (good && !zstd->ZDICT_isError(made)) coder->dictionary_bytes = made;
    return good ? JR_OK : no_memory();
}

static void coder_end(const jr_zstd *zstd, section_coder *coder) {
    if (coder->prepared != NULL) zstd->ZSTD_freeCDict(coder->prepared);
    if (coder->context != NULL) zstd->ZSTD_freeCCtx(coder->context);
    free(coder->dictionary);
}

static jr_status coder_begin(const pack_writing *writing, const jr_pack_item *items, uint32_t count,
                             section_coder *coder) {
    const jr_zstd *zstd = &writing->zstd;
    *coder = (section_coder){0};
    if (writing->content->plain) return JR_OK;
    JR_TRY(train(zstd, items, count, coder));
    coder->prepared = zstd->ZSTD_createCDict(coder->dictionary, coder->dictionary_bytes, LEVEL);
    coder->context = zstd->ZSTD_createCCtx();
    return coder->prepared != NULL && coder->context != NULL ? JR_OK : no_memory();
}

/* Appends an image to the body. */
static jr_status append(pack_writing *writing, const section_coder *coder, const jr_image *image) {
    const jr_zstd *zstd = &writing->zstd;
    if (writing->content->plain) {
        jr_text_append_bytes(&writing->body, image->stored, image->stored_bytes);
        return JR_OK;
    }
    const size_t room = zstd->ZSTD_compressBound(image->stored_bytes);
    uint8_t *packed = malloc(room);
    if (packed == NULL) return no_memory();
    const size_t bytes = zstd->ZSTD_compress_usingCDict(coder->context, packed, room, image->stored,
                                                        image->stored_bytes, coder->prepared);
    const bool failed = zstd->ZSTD_isError(bytes) != 0;
    if (!failed) jr_text_append_bytes(&writing->body, packed, bytes);
    free(packed);
    return failed ? jr_fail(JR_ERROR_PACK, "zstd does not compress an image: %s", zstd->ZSTD_getErrorName(bytes))
                  : JR_OK;
}

/* ---- putting together ---- */

static jr_status write_row(pack_writing *writing, const section_coder *coder, const jr_pack_item *item) {
    if (item->image->stored_bytes > JR_PACK_IMAGE_BYTES_MAX)
        return jr_fail(JR_ERROR_PACK, "the image of %s has %zu bytes; a pack takes images of up to %d",
                       item->image->entry, item->image->stored_bytes, JR_PACK_IMAGE_BYTES_MAX);
    const size_t before = writing->body.length;
    JR_TRY(append(writing, coder, item->image));
    memcpy(writing->row, item->text_key.bytes, JR_DIGEST_BYTES);
    jr_little_put(writing->row + JR_PACK_ROW_AT, writing->head_bytes + before, 8);
    jr_little_put(writing->row + JR_PACK_ROW_PACKED_AT, writing->body.length - before, 4);
    jr_little_put(writing->row + JR_PACK_ROW_IMAGE_AT, item->image->stored_bytes, 4);
    writing->row += JR_PACK_ROW_BYTES;
    return JR_OK;
}

static void put_text(uint8_t *at, const char *text, size_t room) {
    const size_t length = strlen(text);
    memcpy(at, text, length < room ? length : room - 1);
}

static jr_status write_section(pack_writing *writing, uint32_t section, uint32_t first, uint32_t count) {
    const jr_pack_item *items = writing->content->items + first;
    uint8_t *at = writing->head + JR_PACK_HEADER_BYTES + (size_t)section * JR_PACK_SECTION_BYTES;
    section_coder coder;
    jr_status status = coder_begin(writing, items, count, &coder);
    put_text(at, writing->content->architectures[section], JR_PACK_NAME_BYTES);
    jr_little_put(at + JR_PACK_SECTION_FIRST_AT, first, 4);
    jr_little_put(at + JR_PACK_SECTION_ROWS_AT, count, 4);
    jr_little_put(at + JR_PACK_SECTION_DICTIONARY_AT, writing->head_bytes + writing->body.length, 8);
    jr_little_put(at + JR_PACK_SECTION_DICTIONARY_BYTES_AT, coder.dictionary_bytes, 8);
    jr_digest_of(coder.dictionary, coder.dictionary_bytes, at + JR_PACK_SECTION_DIGEST_AT);
    jr_text_append_bytes(&writing->body, coder.dictionary, coder.dictionary_bytes);
    for (uint32_t i = 0; status == JR_OK && i < count; i++) status = write_row(writing, &coder, &items[i]);
    coder_end(&writing->zstd, &coder);
    return status;
}

static jr_status write_sections(pack_writing *writing) {
    const jr_pack_content *content = writing->content;
    jr_status status = JR_OK;
    uint32_t first = 0;
    for (uint32_t s = 0; status == JR_OK && s < content->architecture_count; s++) {
        uint32_t count = 0;
        while (first + count < content->item_count && content->items[first + count].section == s) count++;
        status = write_section(writing, s, first, count);
        first += count;
    }
    return status == JR_OK && jr_text_failed(&writing->body) ? no_memory() : status;
}

static void finish_head(pack_writing *writing) {
    const jr_pack_content *content = writing->content;
    uint8_t *head = writing->head;
    memcpy(head, JR_PACK_MAGIC, sizeof JR_PACK_MAGIC);
    jr_little_put(head + JR_PACK_FORMAT_AT, JR_PACK_FORMAT, 4);
    jr_little_put(head + JR_PACK_CODING_AT, content->plain ? JR_PACK_PLAIN : JR_PACK_ZSTD, 4);
    jr_little_put(head + JR_PACK_HEAD_BYTES_AT, writing->head_bytes, 8);
    jr_little_put(head + JR_PACK_FILE_BYTES_AT, writing->head_bytes + writing->body.length, 8);
    put_text(head + JR_PACK_LIBRARY_AT, jr_version(), JR_PACK_LIBRARY_BYTES);
    jr_little_put(head + JR_PACK_SECTION_COUNT_AT, content->architecture_count, 4);
    jr_little_put(head + JR_PACK_ROW_COUNT_AT, content->item_count, 4);
    put_text(head + JR_PACK_COMPILER_AT, content->compiler, JR_PACK_COMPILER_BYTES);
    jr_digest_of(head, writing->head_bytes - JR_DIGEST_BYTES, head + writing->head_bytes - JR_DIGEST_BYTES);
}

static jr_status write_all(pack_writing *writing, const char *folder, const char *name, uint64_t *bytes) {
    const jr_pack_content *content = writing->content;
    if (content->item_count > 0) qsort(content->items, content->item_count, sizeof *content->items, in_order);
    writing->head = calloc(1, writing->head_bytes);
    if (writing->head == NULL) return no_memory();
    writing->row = writing->head + JR_PACK_HEADER_BYTES + (size_t)content->architecture_count * JR_PACK_SECTION_BYTES;
    if (!content->plain) JR_TRY(jr_zstd_open(&writing->zstd));
    JR_TRY(write_sections(writing));
    finish_head(writing);
    jr_text file = {0};
    jr_text_append_bytes(&file, writing->head, writing->head_bytes);
    jr_text_append_bytes(&file, writing->body.data, writing->body.length);
    const jr_status status = jr_text_failed(&file) ? no_memory() : jr_file_write(folder, name, file.data, file.length);
    if (status == JR_OK) *bytes = file.length;
    jr_text_free(&file);
    return status;
}

jr_status jr_pack_content_write(const jr_pack_content *content, const char *folder, const char *name, uint64_t *bytes) {
    pack_writing writing = {.content = content,
                            .head_bytes = jr_pack_head_bytes(content->architecture_count, content->item_count)};
    const jr_status status = write_all(&writing, folder, name, bytes);
    jr_text_free(&writing.body);
    jr_zstd_close(&writing.zstd);
    free(writing.head);
    return status;
}
