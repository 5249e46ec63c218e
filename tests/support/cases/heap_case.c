/* A launch with a small heap. */
#include "heap_case.h"

#include <string.h>

machine_case heap_test;

void heap_prepare(const char *ptx) {
    memset(&heap_test, 0, sizeof heap_test);
    heap_test.ptx = ptx;
    heap_test.heap_bytes = HEAP_BYTES;
    heap_test.block = 1;
}

void heap_run(const char *ptx) {
    heap_prepare(ptx);
    machine_good(&heap_test);
}

void heap_fails(const char *ptx, int error, const char *words) {
    heap_prepare(ptx);
    machine_fails(&heap_test, error, words);
}

uint64_t heap_word(size_t index) {
    uint64_t value;
    memcpy(&value, &heap_test.words[2 * index], sizeof value);
    return value;
}
