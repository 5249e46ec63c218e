/* Steers a mapping by taking the gaps above its place. */
#include "map_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* Linux 4.17; older kernels take the address for a hint */
#endif

enum { GAPS_MAX = 64 };

typedef struct taken_gaps {
    uintptr_t begin[GAPS_MAX];
    size_t bytes[GAPS_MAX];
    size_t count;
} taken_gaps;

/* The calls are the system's own: a sanitizer's would set up shadow memory for terabytes. */
static void release(uintptr_t begin, size_t bytes) {
    syscall(SYS_munmap, begin, bytes);
}

/* Takes address space, and nothing else: no memory, and nothing that another mapping has. */
static bool take(uintptr_t begin, size_t bytes) {
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    const long got = syscall(SYS_mmap, begin, bytes, PROT_NONE, flags, -1, 0);
    if (got != -1 && (uintptr_t)got != begin) release((uintptr_t)got, bytes);
    return (uintptr_t)got == begin;
}

/* One line of /proc/self/maps; false at the end. */
static bool read_mapping(FILE *maps, uintptr_t *begin, uintptr_t *end, char rights[5]) {
    char line[512];
    if (fgets(line, sizeof line, maps) == NULL) return false;
    const bool read = sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", begin, end, rights) == 3; /* NOLINT(cert-err34-c) */
    while (strchr(line, '\n') == NULL && fgets(line, sizeof line, maps) != NULL) continue; /* the rest of a long path */
    return read;
}

/* Takes the gaps above an address, as far as that can be done. */
static void take_gaps(uintptr_t above, taken_gaps *gaps) {
    FILE *maps = fopen("/proc/self/maps", "re");
    uintptr_t begin, end, last = above;
    char rights[5];
    while (maps != NULL && gaps->count < GAPS_MAX && read_mapping(maps, &begin, &end, rights)) {
        if (begin > last && begin - last > JR_MAP_PLACE_LEAST_BYTES) {
            const size_t bytes = begin - last - JR_MAP_PLACE_LEAST_BYTES;
            if (!take(last, bytes)) break; /* the system's own page is above all that can be taken */
            gaps->begin[gaps->count] = last;
            gaps->bytes[gaps->count++] = bytes;
        }
        if (end > last) last = end;
    }
    if (maps != NULL) fclose(maps);
}

/* Under a limit the gaps, which are terabytes, cannot be taken. */
static bool is_limited(void) {
    struct rlimit limit;
    return getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY;
}

uintptr_t jr_map_place_choose(void) {
    static const uint64_t first = UINT64_C(0x7e8000000000), step = 2 << 20, count = UINT64_C(0x38000);
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != (ssize_t)sizeof number) return 0;
    return (uintptr_t)(first + number % count * step);
}

bool jr_map_place_run(uintptr_t begin, size_t bytes, void (*map)(void *user), void *user) {
    taken_gaps gaps = {.count = 0};
    if (is_limited() || !take(begin, bytes)) return false;
    take_gaps(begin + bytes, &gaps);
    release(begin, bytes);
    map(user);
    for (size_t i = 0; i < gaps.count; i++) release(gaps.begin[i], gaps.bytes[i]);
    return true;
}

uintptr_t jr_map_place_find(uintptr_t begin, size_t bytes, size_t least) {
    FILE *maps = fopen("/proc/self/maps", "re");
    uintptr_t from, to, found = 0;
    char rights[5];
    while (maps != NULL && found == 0 && read_mapping(maps, &from, &to, rights))
        if (from >= begin && to <= begin + bytes && to - from >= least && strcmp(rights, "rw-p") == 0) found = from;
    if (maps != NULL) fclose(maps);
    return found;
}
