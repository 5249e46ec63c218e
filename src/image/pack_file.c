/* Opens pack files, and reads images out of them. */
#include "pack_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "architecture.h"
#include "base/error.h"
#include "base/little_endian.h"

static jr_status refuse(const jr_pack_file *pack, const char *why) {
    return jr_fail(JR_ERROR_PACK, "%s cannot be used: %s; make it again, or copy it again", pack->path, why);
}

/* ---- the head ---- */

static uint32_t number_at(const uint8_t *at) {
    return (uint32_t)jr_little_get(at, 4);
}

/* True if a text has a NUL, and only NULs after it. */
static bool is_text(const uint8_t *text, size_t bytes) {
    const uint8_t *end = memchr(text, '\0', bytes);
    for (const uint8_t *at = end; at != NULL && at < text + bytes; at++)
        if (*at != 0) return false;
    return end != NULL;
}

/* Checks the first bytes of the file. The version is checked first, so that a pack of another version is reported as
 * such. */
static jr_status check_header(const jr_pack_file *pack, const uint8_t header[JR_PACK_HEADER_BYTES]) {
    if (memcmp(header, JR_PACK_MAGIC, sizeof JR_PACK_MAGIC) != 0)
        return refuse(pack, "it does not begin as a pack does");
    const uint32_t format = number_at(header + JR_PACK_FORMAT_AT);
    if (format != JR_PACK_FORMAT)
        return jr_fail(JR_ERROR_PACK,
                       "%s cannot be used: it has format %u, and this library (%s) reads %d: make it again", pack->path,
                       format, jr_version(), JR_PACK_FORMAT);
    if (!is_text(header + JR_PACK_LIBRARY_AT, JR_PACK_LIBRARY_BYTES) ||
        !is_text(header + JR_PACK_COMPILER_AT, JR_PACK_COMPILER_BYTES))
        return refuse(pack, "a text in it does not end where it should");
    const char *library = (const char *)header + JR_PACK_LIBRARY_AT;
    if (strcmp(library, jr_version()) != 0)
        return jr_fail(JR_ERROR_PACK, "%s cannot be used: jitreduce %s has made it, and this is %s: make it again",
                       pack->path, library, jr_version());
    const uint32_t sections = number_at(header + JR_PACK_SECTION_COUNT_AT),
                   rows = number_at(header + JR_PACK_ROW_COUNT_AT);
    if (sections > JR_PACK_SECTIONS_MAX || rows > JR_PACK_ROWS_MAX ||
        jr_little_get(header + JR_PACK_HEAD_BYTES_AT, 8) != jr_pack_head_bytes(sections, rows))
        return refuse(pack, "its counts and lengths do not go together");
    if (jr_little_get(header + JR_PACK_FILE_BYTES_AT, 8) != pack->bytes)
        return jr_fail(JR_ERROR_PACK, "%s cannot be used: it has %llu bytes and should have %llu: copy it again",
                       pack->path, (unsigned long long)pack->bytes,
                       (unsigned long long)jr_little_get(header + JR_PACK_FILE_BYTES_AT, 8));
    return JR_OK;
}

/* True if a piece is entirely after the head and within the file. */
static bool lies_inside(const jr_pack_file *pack, uint64_t head_bytes, uint64_t at, uint64_t bytes) {
    return at >= head_bytes && at <= pack->bytes && bytes <= pack->bytes - at;
}

static bool rows_are_good(const jr_pack_file *pack, const jr_pack_section *section, uint64_t head_bytes) {
    const uint8_t *row = pack->rows + (size_t)section->first * JR_PACK_ROW_BYTES;
    for (uint32_t i = 0; i < section->count; i++, row += JR_PACK_ROW_BYTES) {
        const uint32_t packed = number_at(row + JR_PACK_ROW_PACKED_AT), bytes = number_at(row + JR_PACK_ROW_IMAGE_AT);
        if (!lies_inside(pack, head_bytes, jr_little_get(row + JR_PACK_ROW_AT, 8), packed)) return false;
        if (bytes > JR_PACK_IMAGE_BYTES_MAX || (!pack->compressed && bytes != packed)) return false;
        if (i > 0 && memcmp(row - JR_PACK_ROW_BYTES, row, JR_DIGEST_BYTES) >= 0) return false;
    }
    return true;
}

/* Reads a section of the head; false if a number or text in it is impossible. */
static bool take_section(const jr_pack_file *pack, const uint8_t *stored, uint64_t head_bytes, uint32_t next_row,
                         jr_pack_section *section) {
    if (!is_text(stored, JR_PACK_NAME_BYTES)) return false;
    *section = (jr_pack_section){.architecture = (const char *)stored,
                                 .number = jr_architecture_number((const char *)stored),
                                 .first = number_at(stored + JR_PACK_SECTION_FIRST_AT),
                                 .count = number_at(stored + JR_PACK_SECTION_ROWS_AT),
                                 .dictionary_at = jr_little_get(stored + JR_PACK_SECTION_DICTIONARY_AT, 8),
                                 .dictionary_bytes = jr_little_get(stored + JR_PACK_SECTION_DICTIONARY_BYTES_AT, 8),
                                 .dictionary_digest = stored + JR_PACK_SECTION_DIGEST_AT};
    if (section->number == 0 || section->first != next_row || section->count > pack->row_count - next_row) return false;
    if (section->dictionary_bytes > JR_PACK_DICTIONARY_BYTES_MAX ||
        !lies_inside(pack, head_bytes, section->dictionary_at, section->dictionary_bytes))
        return false;
    return rows_are_good(pack, section, head_bytes);
}

static jr_status take_sections(jr_pack_file *pack, uint64_t head_bytes) {
    uint32_t next_row = 0;
    const uint8_t *stored = pack->head + JR_PACK_HEADER_BYTES;
    for (uint32_t s = 0; s < pack->section_count; s++, stored += JR_PACK_SECTION_BYTES) {
        jr_pack_section *section = &pack->sections[s];
        if (!take_section(pack, stored, head_bytes, next_row, section) ||
            (s > 0 && strcmp(section[-1].architecture, section->architecture) >= 0))
            return refuse(pack, "its index is not in order");
        next_row += section->count;
    }
    return next_row == pack->row_count ? JR_OK : refuse(pack, "its index is not in order");
}

/* Verifies the whole head, and points the pack's members into it. */
static jr_status take_head(jr_pack_file *pack, size_t head_bytes) {
    uint8_t digest[JR_DIGEST_BYTES];
    jr_digest_of(pack->head, head_bytes - JR_DIGEST_BYTES, digest);
    if (memcmp(digest, pack->head + head_bytes - JR_DIGEST_BYTES, JR_DIGEST_BYTES) != 0)
        return refuse(pack, "its seal does not fit: it was changed");
    const uint32_t coding = number_at(pack->head + JR_PACK_CODING_AT);
    if (coding > JR_PACK_ZSTD || jr_little_get(pack->head + JR_PACK_ZERO_AT, 8) != 0)
        return refuse(pack, "its images are packed in an unknown way");
    pack->compressed = coding == JR_PACK_ZSTD;
    pack->library = (const char *)pack->head + JR_PACK_LIBRARY_AT;
    pack->compiler = (const char *)pack->head + JR_PACK_COMPILER_AT;
    pack->section_count = number_at(pack->head + JR_PACK_SECTION_COUNT_AT);
    pack->row_count = number_at(pack->head + JR_PACK_ROW_COUNT_AT);
    pack->rows = pack->head + JR_PACK_HEADER_BYTES + (size_t)pack->section_count * JR_PACK_SECTION_BYTES;
    return take_sections(pack, head_bytes);
}

static jr_status read_head(jr_pack_file *pack) {
    uint8_t header[JR_PACK_HEADER_BYTES];
    if (pack->bytes < jr_pack_head_bytes(0, 0)) return refuse(pack, "it is too short");
    JR_TRY(jr_file_read_at(pack->file, pack->path, 0, header, sizeof header));
    JR_TRY(check_header(pack, header));
    const uint64_t head_bytes = jr_little_get(header + JR_PACK_HEAD_BYTES_AT, 8);
    if (head_bytes > pack->bytes) return refuse(pack, "its head is longer than it is");
    pack->head = malloc(head_bytes);
    if (pack->head == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for the index of %s", pack->path);
    jr_status status = jr_file_read_at(pack->file, pack->path, 0, pack->head, head_bytes);
    /* What was checked is what is used, whoever writes to the file meanwhile. */
    if (status == JR_OK && memcmp(header, pack->head, sizeof header) != 0)
        status = refuse(pack, "it changed while it was read");
    return status == JR_OK ? take_head(pack, head_bytes) : status;
}

jr_status jr_pack_file_open(const char *path, jr_pack_file **pack) {
    jr_pack_file *made = calloc(1, sizeof *made);
    if (made == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a pack");
    made->file = -1;
    pthread_mutex_init(&made->lock, NULL);
    jr_status status = JR_OK;
    if (snprintf(made->path, sizeof made->path, "%s", path) >= (int)sizeof made->path)
        status = jr_fail(JR_ERROR_FILE, "the path of a pack has %zu bytes, and %d are allowed", strlen(path),
                         JR_PATH_BYTES - 1);
    if (status == JR_OK) status = jr_file_open_trusted(path, &made->file, &made->bytes);
    if (status == JR_OK) status = read_head(made);
    if (status == JR_OK && made->compressed) status = jr_zstd_open(&made->zstd);
    if (status == JR_OK)
        *pack = made;
    else
        jr_pack_file_close(made);
    return status;
}

void jr_pack_file_close(jr_pack_file *pack) {
    if (pack == NULL) return;
    for (uint32_t s = 0; s < pack->section_count; s++) {
        if (pack->sections[s].prepared != NULL) pack->zstd.ZSTD_freeDDict(pack->sections[s].prepared);
        free(pack->sections[s].dictionary);
    }
    if (pack->unpacker != NULL) pack->zstd.ZSTD_freeDCtx(pack->unpacker);
    jr_zstd_close(&pack->zstd);
    if (pack->file >= 0) close(pack->file);
    pthread_mutex_destroy(&pack->lock);
    free(pack->head);
    free(pack);
}

/* ---- images ---- */

uint32_t jr_pack_file_find(const jr_pack_file *pack, const jr_pack_section *section, const jr_key *text_key) {
    uint32_t low = section->first, high = section->first + section->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const int order = memcmp(text_key->bytes, pack->rows + (size_t)middle * JR_PACK_ROW_BYTES, JR_DIGEST_BYTES);
        if (order == 0) return middle;
        if (order < 0) high = middle;
        if (order > 0) low = middle + 1;
    }
    return JR_PACK_ROWS_MAX;
}

uint64_t jr_pack_file_image_bytes(const jr_pack_file *pack, uint32_t row) {
    return number_at(pack->rows + (size_t)row * JR_PACK_ROW_BYTES + JR_PACK_ROW_IMAGE_AT);
}

static jr_status no_memory(const jr_pack_file *pack) {
    return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for an image of %s", pack->path);
}

/* Reads a section's dictionary once, and prepares it for the second image on, since that takes as long as to unpack
 * one. Lock held. It is not verified: an image that a damaged dictionary spoils fails its own seal, and hashing the
 * dictionary would take longer than all the rest of a first image. */
static jr_status read_dictionary(const jr_pack_file *pack, jr_pack_section *section) {
    if (section->dictionary != NULL) {
        if (section->prepared == NULL) /* if that fails, images do without */
            section->prepared = pack->zstd.ZSTD_createDDict(section->dictionary, section->dictionary_bytes);
        return JR_OK;
    }
    uint8_t *bytes = malloc(section->dictionary_bytes + 1);
    if (bytes == NULL) return no_memory(pack);
    const jr_status status =
        jr_file_read_at(pack->file, pack->path, section->dictionary_at, bytes, section->dictionary_bytes);
    section->dictionary = status == JR_OK ? bytes : NULL;
    if (status != JR_OK) free(bytes);
    return status;
}

/* True if a section's dictionary has the digest that the head says, or was not read. */
static bool dictionary_is_good(jr_pack_file *pack, const jr_pack_section *section) {
    uint8_t digest[JR_DIGEST_BYTES];
    pthread_mutex_lock(&pack->lock);
    const uint8_t *dictionary = section->dictionary;
    pthread_mutex_unlock(&pack->lock);
    if (dictionary == NULL) return true;
    jr_digest_of(dictionary, section->dictionary_bytes, digest);
    return memcmp(digest, section->dictionary_digest, sizeof digest) == 0;
}

static jr_status refuse_image(jr_pack_file *pack, const jr_pack_section *section) {
    return refuse(pack,
                  dictionary_is_good(pack, section) ? "an image in it is damaged" : "a dictionary in it is damaged");
}

/* Takes the unpacker that nobody is using, else a new one: making one takes longer than to unpack a small image. */
static jr_status take_unpacker(jr_pack_file *pack, jr_pack_section *section, void **unpacker) {
    pthread_mutex_lock(&pack->lock);
    const jr_status status = read_dictionary(pack, section);
    *unpacker = status == JR_OK ? pack->unpacker : NULL;
    if (*unpacker != NULL) pack->unpacker = NULL;
    pthread_mutex_unlock(&pack->lock);
    if (status == JR_OK && *unpacker == NULL) *unpacker = pack->zstd.ZSTD_createDCtx();
    return status == JR_OK && *unpacker == NULL ? no_memory(pack) : status;
}

static void give_unpacker(jr_pack_file *pack, void *unpacker) {
    pthread_mutex_lock(&pack->lock);
    void *second = pack->unpacker;
    pack->unpacker = unpacker;
    pthread_mutex_unlock(&pack->lock);
    if (second != NULL) pack->zstd.ZSTD_freeDCtx(second);
}

static jr_status unpack(jr_pack_file *pack, jr_pack_section *section, const uint8_t *packed, const uint32_t bytes[2],
                        uint8_t *image) {
    void *unpacker = NULL;
    JR_TRY(take_unpacker(pack, section, &unpacker));
    const void *prepared = section->prepared;
    const size_t got =
        prepared != NULL ? pack->zstd.ZSTD_decompress_usingDDict(unpacker, image, bytes[1], packed, bytes[0], prepared)
                         : pack->zstd.ZSTD_decompress_usingDict(unpacker, image, bytes[1], packed, bytes[0],
                                                                section->dictionary, section->dictionary_bytes);
    give_unpacker(pack, unpacker);
    return got == bytes[1] ? JR_OK : refuse_image(pack, section);
}

/* Reads, and unpacks, a row's image into `image`, which has its size. */
static jr_status read_bytes(jr_pack_file *pack, jr_pack_section *section, const uint8_t *row, uint8_t *image) {
    const uint64_t at = jr_little_get(row + JR_PACK_ROW_AT, 8);
    const uint32_t bytes[2] = {number_at(row + JR_PACK_ROW_PACKED_AT), number_at(row + JR_PACK_ROW_IMAGE_AT)};
    if (!pack->compressed) return jr_file_read_at(pack->file, pack->path, at, image, bytes[1]);
    uint8_t *packed = malloc((size_t)bytes[0] + 1);
    if (packed == NULL) return no_memory(pack);
    jr_status status = jr_file_read_at(pack->file, pack->path, at, packed, bytes[0]);
    if (status == JR_OK) status = unpack(pack, section, packed, bytes, image);
    free(packed);
    return status;
}

jr_status jr_pack_file_read(jr_pack_file *pack, jr_pack_section *section, uint32_t row, jr_image **image) {
    const uint8_t *stored = pack->rows + (size_t)row * JR_PACK_ROW_BYTES;
    const size_t count = jr_pack_file_image_bytes(pack, row);
    uint8_t key[JR_DIGEST_BYTES], *bytes = malloc(count + 1);
    if (bytes == NULL) return no_memory(pack);
    jr_status status = read_bytes(pack, section, stored, bytes);
    jr_pack_key(stored, section->architecture, key);
    if (status == JR_OK) status = jr_image_adopt(bytes, count, key, image);
    if (status != JR_OK) free(bytes);
    return status == JR_ERROR_INVALID_ARGUMENT ? refuse_image(pack, section) : status;
}

jr_status jr_pack_file_verify(jr_pack_file *pack) {
    jr_status status = JR_OK;
    for (uint32_t s = 0; status == JR_OK && s < pack->section_count; s++) {
        jr_pack_section *section = &pack->sections[s];
        for (uint32_t i = 0; status == JR_OK && i < section->count; i++) {
            jr_image *image = NULL;
            status = jr_pack_file_read(pack, section, section->first + i, &image);
            jr_image_free(image);
        }
        if (status == JR_OK && !dictionary_is_good(pack, section))
            status = refuse(pack, "a dictionary in it is damaged");
    }
    return status;
}
