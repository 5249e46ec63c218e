/* Gathering: host memory whose elements lie apart, backwards or upon each other is read as if they lay in C order, one
 * after the other, from the first one's address on. */
#ifndef JR_DEVICE_GATHER_H
#define JR_DEVICE_GATHER_H

#include <stddef.h>
#include <stdint.h>

enum { JR_GATHER_AXES_MAX = 8 };

/* Where elements lie: from the outermost axis to the innermost. */
typedef struct jr_gather {
    const void *base; /* the first element */
    size_t element_bytes;
    int count; /* axes */
    uint64_t size[JR_GATHER_AXES_MAX];
    int64_t stride[JR_GATHER_AXES_MAX]; /* bytes from one element to the next */
} jr_gather;

/* Adds an axis inside the others. If it continues where the one before it steps, both become one. */
void jr_gather_add_axis(jr_gather *gather, uint64_t size, int64_t stride);

/* Copies bytes from an address on at which they would lie without gaps: any part of an element, too. */
void jr_gather_read(const jr_gather *gather, const void *at, uint64_t bytes, void *to);

#endif
