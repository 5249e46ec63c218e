/* Copies elements that lie apart to where they lie one after the other. */
#include "gather.h"

#include <string.h>

#include "base/whole.h"

void jr_gather_add_axis(jr_gather *gather, uint64_t size, int64_t stride) {
    const int last = gather->count - 1;
    if (size == 1) return;
    if (last >= 0 && gather->stride[last] == stride * (int64_t)size) {
        gather->size[last] *= size;
        gather->stride[last] = stride;
        return;
    }
    gather->size[gather->count] = size;
    gather->stride[gather->count++] = stride;
}

/* A walk: the place of an element, and its numbers along the axes. */
typedef struct walk_place {
    const unsigned char *at;
    uint64_t digit[JR_GATHER_AXES_MAX];
} walk_place;

static walk_place walk_from(const jr_gather *gather, uint64_t element) {
    walk_place now = {.at = gather->base};
    for (int k = gather->count - 1; k >= 0; k--) {
        now.digit[k] = element % gather->size[k];
        now.at += (int64_t)now.digit[k] * gather->stride[k];
        element /= gather->size[k];
    }
    return now;
}

/* Goes `steps` elements on, which do not pass the end of the innermost axis. */
static void go(const jr_gather *gather, walk_place *now, uint64_t steps) {
    for (int k = gather->count - 1; k >= 0; k--) {
        now->digit[k] += steps;
        now->at += (int64_t)steps * gather->stride[k];
        if (now->digit[k] < gather->size[k]) return;
        now->digit[k] = 0;
        now->at -= (int64_t)gather->size[k] * gather->stride[k];
        steps = 1;
    }
}

/* A loop for each width, in which the compiler knows it. */
#define COPY_LINE(width)                                                                                               \
    for (uint64_t i = 0; i < count; i++, from += stride, to += (width)) memcpy(to, from, (width))

static void copy_line(unsigned char *to, const unsigned char *from, int64_t stride, uint64_t count, size_t bytes) {
    if (stride == (int64_t)bytes)
        memcpy(to, from, count * bytes);
    else if (bytes == 1)
        COPY_LINE(1);
    else if (bytes == 2)
        COPY_LINE(2);
    else if (bytes == 4)
        COPY_LINE(4);
    else if (bytes == 8)
        COPY_LINE(8);
    else
        COPY_LINE(bytes);
}

void jr_gather_read(const jr_gather *gather, const void *at, uint64_t bytes, void *to) {
    const size_t each = gather->element_bytes;
    const uint64_t from = (uint64_t)((uintptr_t)at - (uintptr_t)gather->base), skipped = from % each;
    const int inner = gather->count - 1;
    const uint64_t length = inner >= 0 ? gather->size[inner] : 1;
    const int64_t stride = inner >= 0 ? gather->stride[inner] : 0;
    walk_place now = walk_from(gather, from / each);
    unsigned char *next = to;
    if (skipped > 0) {
        const uint64_t rest = jr_least(each - skipped, bytes);
        memcpy(next, now.at + skipped, rest);
        next += rest;
        bytes -= rest;
        go(gather, &now, 1);
    }
    while (bytes >= each) {
        const uint64_t count = jr_least(length - (inner >= 0 ? now.digit[inner] : 0), bytes / each);
        copy_line(next, now.at, stride, count, each);
        next += count * each;
        bytes -= count * each;
        go(gather, &now, count);
    }
    if (bytes > 0) memcpy(next, now.at, bytes);
}
