/* Device memory from the application's own pool, and log lines of the library in the application's own log.
 *
 * cc own_pool.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * 4950
 * compiled or found: yes
 * taken from the pool: yes
 * given back: all
 */
#include <jitreduce.h>
#include <stdio.h>
#include <string.h>

enum { POOL_BYTES = 1 << 20, ALIGNMENT = 256 };

/* One block of device memory, handed out from begin to end; once all of it was returned it starts again. */
typedef struct pool {
    char *begin;
    uint64_t used;
    int alive, taken;
} pool;

static void *pool_allocate(void *self, uint64_t bytes, jr_stream stream) {
    pool *p = self;
    (void)stream; /* any stream may use this pool's memory at once */
    if (bytes > POOL_BYTES - p->used) return NULL;
    void *address = p->begin + p->used;
    p->used += (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    p->alive++;
    p->taken++;
    return address;
}

static void pool_free(void *self, void *address, jr_stream stream) {
    pool *p = self;
    (void)address;
    (void)stream;
    if (--p->alive == 0) p->used = 0;
}

/* Notes whether a line of interest came; a real program would write all lines to its log. */
static void log_line(void *user, jr_log_level level, const char *line) {
    if (level == JR_LOG_INFO && (strncmp(line, "compiled ", 9) == 0 || strncmp(line, "found ", 6) == 0))
        *(int *)user = 1;
    if (level >= JR_LOG_WARNING) fprintf(stderr, "%s\n", line);
}

/* Sums 0 to 99 in a context whose memory comes from the pool. */
static jr_status sum(pool *p) {
    const jr_options options =
        JR_INIT(jr_options, .device = "auto", .allocate = pool_allocate, .free = pool_free, .allocator = p);
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_context *context = NULL;
    jr_value value;
    int data[100];
    for (int i = 0; i < 100; i++) data[i] = i;
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = jr_reduce_host(context, &spec, data, 100, &value);
    if (status == JR_OK) printf("%lld\n", (long long)value.as.i64);
    jr_context_close(context);
    return status;
}

int main(void) {
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    jr_context *context = NULL; /* allocates the pool's memory; an application has its own way */
    void *memory = NULL;
    int noted = 0;
    jr_log_set(log_line, &noted);
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = jr_memory_new(context, POOL_BYTES, &memory);
    pool p = {.begin = memory};
    if (status == JR_OK) status = sum(&p);
    printf("compiled or found: %s\n", noted ? "yes" : "no");
    printf("taken from the pool: %s\n", p.taken > 0 ? "yes" : "no");
    printf("given back: %s\n", p.alive == 0 ? "all" : "not all");
    jr_memory_free(context, memory);
    jr_context_close(context);
    return status != JR_OK;
}
