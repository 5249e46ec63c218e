/* Memory: a sorted list of blocks under a lock that lets kernels look up together; freed blocks leave it in order of
 * age. */
#include "sim_memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cuda_abi.h"
#include "pages.h"

typedef struct entry {
    jrs_range range;
    jrs_memory_kind kind;
    uint64_t freed_at; /* order of freeing; 0: live */
    size_t charged;    /* against the limit */
    jrs_pages pages;
} entry;

/* Names of ranges are kept until the end: a report may quote one after its block is gone. */
typedef struct name {
    struct name *next;
    char text[];
} name;

struct jrs_memory {
    pthread_rwlock_t *lock; /* by pointer, so that finding can take a const memory */
    entry *entries;         /* ascending by range.begin, never overlapping */
    size_t count, capacity;
    _Atomic uint64_t version;
    uint64_t limit, used[JRS_DEVICES];
    uint64_t frees; /* so far */
    size_t live[JRS_MEMORY_KIND_COUNT];
    size_t quarantined;
    jrs_chunk *open;
    name *names;
};

static const char *const kind_words[JRS_MEMORY_KIND_COUNT] = {"device allocation", "module global",
                                                              "mapped host memory", "registered host memory", "heap"};

static bool lock_create(pthread_rwlock_t *lock) {
    pthread_rwlockattr_t attributes;
    if (pthread_rwlockattr_init(&attributes)) return false;
    /* a kernel that looks up all the time must not keep an allocation waiting for ever */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    bool made = pthread_rwlock_init(lock, &attributes) == 0;
    pthread_rwlockattr_destroy(&attributes);
    return made;
}

jrs_memory *jrs_memory_create(uint64_t limit_bytes) {
    jrs_memory *memory = calloc(1, sizeof *memory);
    if (!memory) return NULL;
    memory->limit = limit_bytes;
    memory->lock = malloc(sizeof *memory->lock);
    if (memory->lock && lock_create(memory->lock)) return memory;
    free(memory->lock);
    free(memory);
    return NULL;
}

void jrs_memory_destroy(jrs_memory *memory) {
    if (!memory) return;
    for (size_t i = 0; i < memory->count; i++) jrs_pages_return(&memory->entries[i].pages, memory->open);
    jrs_pages_close(memory->open);
    while (memory->names) {
        name *next = memory->names->next;
        free(memory->names);
        memory->names = next;
    }
    pthread_rwlock_destroy(memory->lock);
    free(memory->lock);
    free(memory->entries);
    free(memory);
}

void jrs_memory_change(jrs_memory *memory) {
    atomic_fetch_add_explicit(&memory->version, 1, memory_order_release);
}

uint64_t jrs_memory_version(const jrs_memory *memory) {
    return atomic_load_explicit(&memory->version, memory_order_acquire);
}

/* Index of the first entry that begins above address: the one before it is the candidate. Lock held. */
static size_t above(const jrs_memory *memory, uint64_t address) {
    size_t low = 0, high = memory->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (memory->entries[middle].range.begin <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The live entry that holds address, or NULL. Lock held. */
static entry *live_at(const jrs_memory *memory, uint64_t address) {
    size_t index = above(memory, address);
    if (index == 0) return NULL;
    entry *found = &memory->entries[index - 1];
    return !found->range.freed && address < found->range.end ? found : NULL;
}

bool jrs_memory_find(const jrs_memory *memory, uint64_t address, jrs_range *range) {
    pthread_rwlock_rdlock(memory->lock);
    size_t index = above(memory, address);
    if (index > 0) *range = memory->entries[index - 1].range;
    pthread_rwlock_unlock(memory->lock);
    return index > 0;
}

bool jrs_memory_find_above(const jrs_memory *memory, uint64_t address, jrs_range *range) {
    pthread_rwlock_rdlock(memory->lock);
    const size_t index = above(memory, address);
    const bool found = index < memory->count;
    if (found) *range = memory->entries[index].range;
    pthread_rwlock_unlock(memory->lock);
    return found;
}

static const char *keep_name(jrs_memory *memory, const char *text) {
    for (name *known = memory->names; known; known = known->next)
        if (strcmp(known->text, text) == 0) return known->text;
    size_t bytes = strlen(text) + 1;
    name *fresh = malloc(sizeof *fresh + bytes);
    if (!fresh) return NULL;
    memcpy(fresh->text, text, bytes);
    fresh->next = memory->names;
    memory->names = fresh;
    return fresh->text;
}

static bool grow(jrs_memory *memory) {
    if (memory->count < memory->capacity) return true;
    size_t capacity = memory->capacity ? memory->capacity * 2 : 64;
    entry *entries = realloc(memory->entries, capacity * sizeof *entries);
    if (!entries) return false;
    memory->entries = entries;
    memory->capacity = capacity;
    return true;
}

/* Needs room: grow came before. */
static void insert(jrs_memory *memory, const entry *fresh) {
    size_t index = above(memory, fresh->range.begin);
    memmove(&memory->entries[index + 1], &memory->entries[index], (memory->count - index) * sizeof *fresh);
    memory->entries[index] = *fresh;
    memory->count++;
    memory->live[fresh->kind]++;
    memory->used[fresh->range.owner.device] += fresh->charged;
    jrs_memory_change(memory);
}

/* Lets the oldest quarter of the freed blocks go when there are too many; not one by one, since a pass looks at all. */
static void shrink_quarantine(jrs_memory *memory) {
    if (memory->quarantined <= JRS_QUARANTINE_BLOCKS) return;
    uint64_t oldest = UINT64_MAX;
    for (size_t i = 0; i < memory->count; i++)
        if (memory->entries[i].freed_at && memory->entries[i].freed_at < oldest) oldest = memory->entries[i].freed_at;
    uint64_t keep_from = oldest + (memory->frees - oldest) / 4 + 1;
    size_t kept = 0;
    for (size_t i = 0; i < memory->count; i++) {
        entry *block = &memory->entries[i];
        if (!block->freed_at || block->freed_at >= keep_from) {
            memory->entries[kept++] = *block;
            continue;
        }
        memory->quarantined--;
        jrs_pages_return(&block->pages, memory->open);
    }
    memory->count = kept;
    jrs_memory_change(memory);
}

static bool pages_for(jrs_memory *memory, const jrs_block_request *request, jrs_pages *pages) {
    size_t alignment = request->alignment > JRS_MEMORY_ALIGNMENT ? request->alignment : JRS_MEMORY_ALIGNMENT;
    if (request->bytes <= JRS_SMALL_BYTES && alignment <= JRS_SMALL_BYTES && !jrs_memory_is_host(request->kind))
        return jrs_pages_cut(&memory->open, request->bytes, alignment, pages);
    return alignment <= 4096 && jrs_pages_map(request->bytes, pages);
}

static int allocate_locked(jrs_memory *memory, const jrs_block_request *request, uint64_t *address) {
    entry block = {.kind = request->kind, .range.owner = request->owner};
    if (!jrs_memory_is_host(request->kind)) {
        if (request->bytes > memory->limit) return JR_CUDA_ERROR_OUT_OF_MEMORY;
        block.charged = (request->bytes + JRS_MEMORY_ALIGNMENT - 1) / JRS_MEMORY_ALIGNMENT * JRS_MEMORY_ALIGNMENT;
        if (block.charged > memory->limit - memory->used[request->owner.device]) return JR_CUDA_ERROR_OUT_OF_MEMORY;
    }
    block.range.what = keep_name(memory, request->what ? request->what : kind_words[request->kind]);
    if (!block.range.what || !grow(memory) || !pages_for(memory, request, &block.pages))
        return JR_CUDA_ERROR_OUT_OF_MEMORY;
    block.range.begin = block.pages.begin;
    block.range.end = block.pages.begin + request->bytes;
    block.range.read_only = request->read_only;
    block.range.heap = request->heap;
    block.range.host = jrs_memory_is_host(request->kind);
    insert(memory, &block);
    *address = block.range.begin;
    return JR_CUDA_SUCCESS;
}

int jrs_memory_allocate(jrs_memory *memory, const jrs_block_request *request, uint64_t *address) {
    if (request->bytes == 0) return JR_CUDA_ERROR_INVALID_VALUE;
    pthread_rwlock_wrlock(memory->lock);
    int error = allocate_locked(memory, request, address);
    pthread_rwlock_unlock(memory->lock);
    if (error || jrs_memory_is_host(request->kind)) return error;
    size_t pattern = request->bytes < JRS_PATTERN_BYTES ? request->bytes : JRS_PATTERN_BYTES;
    memset((void *)(uintptr_t)*address, JRS_PATTERN_BYTE, pattern);
    return error;
}

/* Whether any block, freed ones too, lies in [begin, end). Lock held. */
static bool overlaps(const jrs_memory *memory, uint64_t begin, uint64_t end) {
    size_t index = above(memory, end - 1);
    return index > 0 && memory->entries[index - 1].range.end > begin;
}

int jrs_memory_register(jrs_memory *memory, uint64_t address, size_t bytes, jrs_owner owner) {
    if (bytes == 0 || address == 0 || address + bytes < address) return JR_CUDA_ERROR_INVALID_VALUE;
    entry block = {.kind = JRS_MEMORY_REGISTERED};
    block.range = (jrs_range){.begin = address,
                              .end = address + bytes,
                              .host = true,
                              .owner = owner,
                              .what = kind_words[JRS_MEMORY_REGISTERED]};
    pthread_rwlock_wrlock(memory->lock);
    int error = JR_CUDA_SUCCESS;
    if (overlaps(memory, address, address + bytes))
        error = JR_CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    else if (!grow(memory))
        error = JR_CUDA_ERROR_OUT_OF_MEMORY;
    else
        insert(memory, &block);
    pthread_rwlock_unlock(memory->lock);
    return error;
}

/* Registered memory stays the application's: it is unlisted at once, since anything may come to lie there. */
static void release_at(jrs_memory *memory, size_t index) {
    entry *block = &memory->entries[index];
    memory->live[block->kind]--;
    memory->used[block->range.owner.device] -= block->charged;
    if (block->kind == JRS_MEMORY_REGISTERED) {
        memory->count--;
        memmove(block, block + 1, (memory->count - index) * sizeof *block);
    } else {
        block->range.freed = true;
        block->range.heap = NULL;
        block->freed_at = ++memory->frees;
        memory->quarantined++;
        jrs_pages_empty(&block->pages);
    }
    jrs_memory_change(memory);
}

bool jrs_memory_release(jrs_memory *memory, jrs_memory_kind kind, uint64_t address) {
    pthread_rwlock_wrlock(memory->lock);
    entry *block = live_at(memory, address);
    bool found = block && block->range.begin == address && block->kind == kind;
    if (found) {
        release_at(memory, (size_t)(block - memory->entries));
        shrink_quarantine(memory);
    }
    pthread_rwlock_unlock(memory->lock);
    return found;
}

void jrs_memory_release_owned(jrs_memory *memory, uint64_t context) {
    pthread_rwlock_wrlock(memory->lock);
    for (size_t i = memory->count; i-- > 0;) {
        const entry *block = &memory->entries[i];
        if (!block->range.freed && block->range.owner.context == context) release_at(memory, i);
    }
    shrink_quarantine(memory);
    pthread_rwlock_unlock(memory->lock);
}

bool jrs_memory_block_at(const jrs_memory *memory, uint64_t address, jrs_memory_block *block) {
    pthread_rwlock_rdlock(memory->lock);
    const entry *found = live_at(memory, address);
    if (found && found->kind == JRS_MEMORY_HEAP) found = NULL;
    if (found) *block = (jrs_memory_block){found->kind, found->range.begin, found->range.end, found->range.owner};
    pthread_rwlock_unlock(memory->lock);
    return found;
}

void jrs_memory_count(const jrs_memory *memory, jrs_memory_totals *totals) {
    pthread_rwlock_rdlock(memory->lock);
    totals->limit_bytes = memory->limit;
    memcpy(totals->used_bytes, memory->used, sizeof totals->used_bytes);
    memcpy(totals->live, memory->live, sizeof totals->live);
    pthread_rwlock_unlock(memory->lock);
}
