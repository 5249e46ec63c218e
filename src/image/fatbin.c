/* Writes fat binaries, whose form NVIDIA does not describe: it was read off what `fatbinary` of CUDA 13.0 writes, to
 * which a test holds it. Numbers little-endian:
 *   0 magic, 4 bytes | 4 version 1, 2 | 6 header bytes 16, 2 | 8 bytes of all entries, 8; then each entry:
 *   0 kind, 2 | 2 version 0x101, 2 | 4 header bytes, 4 | 8 payload bytes, 8 | 16 zero, 4 | 20 where ptxas's options are
 *   found, 4 | 24 code version, 4 | 28 architecture, 4 | 32 zero, 8 | 40 flags, 8 | 48 zero, 16 | payload, up to a
 *   multiple of 8; before PTX: 64 where the text of the options begins, 8 | 72 the text, which is empty, 8
 * The code version is of PTX its .version, minor and major, of machine code the ABI version of the ELF file, and 1. */
#include <stdlib.h>
#include <string.h>

#include "architecture.h"
#include "base/error.h"
#include "base/little_endian.h"
#include "image.h"

enum {
    HEAD_BYTES = 16,
    ENTRY_BYTES = 64,
    OPTIONS_BYTES = 16, /* before PTX */
    KIND_PTX = 1,
    KIND_ELF = 2,
    ELF_ABI_VERSION_AT = 8,
    FLAGS = 0x11,             /* 64 bits, Linux */
    FLAG_SPECIFIC = 0x100000, /* sm_90a */
    FLAG_FAMILY = 0x200000    /* sm_100f */
};

static const uint32_t magic = 0xba55ed50;

/* What an image gives: machine code, or PTX if it has none. */
typedef struct payload {
    const void *data;
    size_t bytes, padded;
    int kind, architecture;
    uint32_t version;
    uint64_t flags;
} payload;

static uint32_t version_of_ptx(const char *ptx) {
    static const char directive[] = ".version ";
    const char *at = strstr(ptx, directive);
    char *end = NULL;
    if (at == NULL) return 0;
    const unsigned long major = strtoul(at + sizeof directive - 1, &end, 10);
    const unsigned long minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
    return (uint32_t)(minor & 0xffff) | (uint32_t)major << 16;
}

static payload payload_of(const jr_image *image) {
    const uint8_t *elf = image->cubin;
    const char last = image->architecture[strlen(image->architecture) - 1];
    payload one = {.data = elf,
                   .bytes = image->cubin_bytes,
                   .kind = KIND_ELF,
                   .architecture = jr_architecture_number(image->architecture),
                   .flags = FLAGS | (last == 'a'   ? FLAG_SPECIFIC
                                     : last == 'f' ? FLAG_FAMILY
                                                   : 0)};
    if (elf == NULL) {
        one.kind = KIND_PTX;
        one.data = image->ptx;
        one.bytes = image->ptx_bytes + 1;
        one.version = version_of_ptx(image->ptx);
    } else if (one.bytes > ELF_ABI_VERSION_AT) {
        one.version = elf[ELF_ABI_VERSION_AT] | 1u << 16;
    }
    one.padded = (one.bytes + 7) / 8 * 8;
    return one;
}

static jr_status check(const jr_image *const *images, size_t count) {
    if (count == 0) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "there is no image: a fat binary needs one at least");
    for (size_t i = 0; i < count; i++) {
        if (images[i] == NULL) return jr_fail(JR_ERROR_INVALID_ARGUMENT, "images[%zu] is NULL", i);
        if (jr_architecture_number(images[i]->architecture) == 0)
            return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                           "images[%zu] is for '%s', and a fat binary names architectures as sm_90 and compute_90", i,
                           images[i]->architecture);
        if (strcmp(images[i]->entry, images[0]->entry) != 0)
            return jr_fail(
                JR_ERROR_INVALID_ARGUMENT,
                "images[%zu] has the kernel %s, and images[0] has %s: a fat binary has one kernel for several "
                "architectures",
                i, images[i]->entry, images[0]->entry);
        for (size_t k = 0; k < i; k++)
            if (strcmp(images[i]->architecture, images[k]->architecture) == 0)
                return jr_fail(JR_ERROR_INVALID_ARGUMENT, "images[%zu] and images[%zu] are both for %s", k, i,
                               images[i]->architecture);
    }
    return JR_OK;
}

static size_t head_of(const payload *one) {
    return one->kind == KIND_PTX ? ENTRY_BYTES + OPTIONS_BYTES : ENTRY_BYTES;
}

static size_t write_entry(uint8_t *at, const payload *one) {
    const size_t head = head_of(one);
    memset(at, 0, head + one->padded);
    jr_little_put(at, (uint64_t)one->kind, 2);
    jr_little_put(at + 2, 0x101, 2);
    jr_little_put(at + 4, head, 4);
    jr_little_put(at + 8, one->padded, 8);
    jr_little_put(at + 24, one->version, 4);
    jr_little_put(at + 28, (uint64_t)one->architecture, 4);
    jr_little_put(at + 40, one->flags, 8);
    if (one->kind == KIND_PTX) {
        jr_little_put(at + 20, ENTRY_BYTES, 4);
        jr_little_put(at + ENTRY_BYTES, ENTRY_BYTES + OPTIONS_BYTES / 2, 8);
    }
    memcpy(at + head, one->data, one->bytes);
    return head + one->padded;
}

jr_status jr_image_fatbin(const jr_image *const *images, size_t count, uint8_t *bytes, size_t room, size_t *size) {
    size_t needed = HEAD_BYTES;
    JR_TRY(check(images, count));
    for (size_t i = 0; i < count; i++) {
        const payload one = payload_of(images[i]);
        needed += head_of(&one) + one.padded;
    }
    if (room > 0 && room < needed)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the fat binary takes %zu bytes, and there is room for %zu", needed,
                       room);
    *size = needed;
    if (room == 0) return JR_OK;
    jr_little_put(bytes, magic, 4);
    jr_little_put(bytes + 4, 1, 2);
    jr_little_put(bytes + 6, HEAD_BYTES, 2);
    jr_little_put(bytes + 8, needed - HEAD_BYTES, 8);
    uint8_t *at = bytes + HEAD_BYTES;
    for (size_t i = 0; i < count; i++) {
        const payload one = payload_of(images[i]);
        at += write_entry(at, &one);
    }
    return JR_OK;
}
