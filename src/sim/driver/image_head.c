/* An image's head: magic numbers, and the .version and .target lines of PTX. */
#include "image_head.h"

#include <stdio.h>
#include <string.h>

#include "base/little_endian.h"
#include "loader/cuda_abi.h"
#include "sim/ptx/sim_text.h"
#include "sim_device.h"

enum { NUMBER_MAX = 99999999 }; /* of a version or target */

/* First bytes of what is machine code, or a wrapper around it. */
static const struct {
    unsigned char bytes[4];
    const char *what;
} binaries[] = {
    {{0x7f, 'E', 'L', 'F'}, "a cubin"},
    {{0x50, 0xed, 0x55, 0xba}, "a fatbin without PTX for it that is not compressed"},
    {{0xb1, 0x43, 0x62, 0x46}, "a wrapped fatbin"},
};

static int reject(jrs_report *report, int error, const char *message) {
    report->error = error;
    snprintf(report->message, sizeof report->message, "%s", message);
    return error;
}

/* Compared byte by byte: an image may be shorter than a magic number. */
static const char *binary_name(const char *image) {
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
        size_t same = 0;
        while (same < 4 && (unsigned char)image[same] == binaries[i].bytes[same]) same++;
        if (same == 4) return binaries[i].what;
    }
    return NULL;
}

/* An entry of a fat binary (src/image/fatbin.c has its form): its PTX, if it is that, as text; NULL: it is not, or is
 * compressed, or for a later architecture than the device's. */
static const char *ptx_of_entry(const uint8_t *entry, uint64_t head_bytes, uint64_t bytes, uint64_t *architecture) {
    enum { KIND_PTX = 1, COMPRESSED = 0x8000 };
    *architecture = jr_little_get(entry + 28, 4);
    const bool plain = jr_little_get(entry, 2) == KIND_PTX && (jr_little_get(entry + 40, 8) & COMPRESSED) == 0;
    const char *text = (const char *)entry + head_bytes;
    return plain && *architecture <= JRS_CAPABILITY && memchr(text, '\0', bytes) != NULL ? text : NULL;
}

/* The PTX for the latest architecture that the device runs; NULL: it has no such PTX. */
static const char *ptx_in_fatbin(const uint8_t *image) {
    enum { LEAST = 48 }; /* of an entry's head */
    uint64_t left = jr_little_get(image + 8, 8), latest = 0;
    const uint8_t *entry = image + jr_little_get(image + 6, 2);
    const char *found = NULL;
    while (left >= LEAST) {
        const uint64_t head_bytes = jr_little_get(entry + 4, 4), bytes = jr_little_get(entry + 8, 8);
        uint64_t architecture;
        if (head_bytes < LEAST || head_bytes > left || bytes > left - head_bytes) break;
        const char *text = ptx_of_entry(entry, head_bytes, bytes, &architecture);
        if (text != NULL && architecture > latest) {
            found = text;
            latest = architecture;
        }
        entry += head_bytes + bytes;
        left -= head_bytes + bytes;
    }
    return found;
}

const char *jrs_image_ptx(const char *image) {
    const char *ptx = strncmp(image, "\x50\xed\x55\xba", 4) == 0 ? ptx_in_fatbin((const uint8_t *)image) : NULL;
    return ptx != NULL ? ptx : image;
}

/* Skips white space and comments. */
static const char *skip_blank(const char *text) {
    for (;;) {
        text += strspn(text, " \t\r\n\f\v");
        if (text[0] != '/') return text;
        if (text[1] == '/') {
            text += strcspn(text, "\n");
        } else if (text[1] == '*') {
            const char *end = strstr(text + 2, "*/");
            if (!end) return text;
            text = end + 2;
        } else {
            return text;
        }
    }
}

/* Skips a directive's name; NULL when another stands there. */
static const char *after(const char *text, const char *directive) {
    size_t length = strlen(directive);
    return strncmp(text, directive, length) == 0 ? skip_blank(text + length) : NULL;
}

static int check_version(const char *text, const char **end, jrs_report *report) {
    int major, minor;
    *end = text;
    if (!jrs_text_number(end, NUMBER_MAX, &major) || *(*end)++ != '.' || !jrs_text_number(end, NUMBER_MAX, &minor))
        return reject(report, JR_CUDA_ERROR_INVALID_PTX, ".version has no number");
    if (major * 10 + minor <= JRS_PTX_VERSION_MAX) return JR_CUDA_SUCCESS;
    snprintf(report->message, sizeof report->message, "PTX version %.*s is newer than the simulator's %d.%d",
             (int)strspn(text, "0123456789."), text, JRS_PTX_VERSION_MAX / 10, JRS_PTX_VERSION_MAX % 10);
    return report->error = JR_CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
}

static int check_target(const char *text, jrs_report *report) {
    const char *digits = text && strncmp(text, "sm_", 3) == 0 ? text + 3 : "";
    const char *end = digits;
    int target;
    if (!jrs_text_number(&end, NUMBER_MAX, &target))
        return reject(report, JR_CUDA_ERROR_INVALID_PTX, "no .target sm_XX follows .version");
    /* sm_90a is PTX for exactly this device; sm_80a or sm_100f would be for another */
    bool exact = *end == 'a' || *end == 'f';
    if (target == JRS_CAPABILITY || (target < JRS_CAPABILITY && !exact)) return JR_CUDA_SUCCESS;
    int length = (int)strspn(digits, "0123456789af");
    snprintf(report->message, sizeof report->message, "PTX for sm_%.*s does not run on the simulated device, an sm_%d",
             length, digits, JRS_CAPABILITY);
    return report->error = JR_CUDA_ERROR_NO_BINARY_FOR_GPU;
}

int jrs_image_head_check(const char *image, jrs_report *report) {
    const char *binary = binary_name(image);
    if (binary) {
        snprintf(report->message, sizeof report->message, "the image is %s; the simulator executes PTX", binary);
        return report->error = JR_CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    const char *version = after(skip_blank(image), ".version");
    if (!version) return reject(report, JR_CUDA_ERROR_INVALID_IMAGE, "the image does not begin with PTX's .version");
    const char *rest;
    int error = check_version(version, &rest, report);
    return error ? error : check_target(after(skip_blank(rest), ".target"), report);
}
