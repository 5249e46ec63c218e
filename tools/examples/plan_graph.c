/* A plan and its copies, captured from a stream into a graph that is launched once per batch.
 *
 * cc plan_graph.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * batch 0: 499500
 * batch 1: 1499500
 * batch 2: 2499500
 */
#include <jitreduce.h>
#include <stdio.h>

enum { COUNT = 1000, BATCHES = 3 };

/* Everything that one batch needs. */
typedef struct pipeline {
    jr_context *context;
    jr_plan *plan;
    jr_stream stream;
    jr_graph graph;
    int *in;      /* pinned: copies are asynchronous */
    int64_t *sum; /* pinned */
    void *d_in, *d_sum;
} pipeline;

static jr_status make(pipeline *p) {
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_status status = jr_context_open(&options, &p->context);
    if (status == JR_OK) status = jr_work_plan_create(p->context, &JR_INIT(jr_work, .spec = &spec), &p->plan);
    if (status == JR_OK) status = jr_stream_create(p->context, JR_STREAM_NON_BLOCKING, &p->stream);
    if (status == JR_OK) status = jr_pinned_new(p->context, COUNT * sizeof *p->in, (void **)&p->in);
    if (status == JR_OK) status = jr_pinned_new(p->context, sizeof *p->sum, (void **)&p->sum);
    if (status == JR_OK) status = jr_memory_new(p->context, COUNT * sizeof *p->in, &p->d_in);
    if (status == JR_OK) status = jr_memory_new(p->context, sizeof *p->sum, &p->d_sum);
    return status;
}

/* Work that is enqueued between begin and end does not run: it becomes the graph. */
static jr_status capture(pipeline *p) {
    const void *const in[] = {p->d_in};
    const jr_work_data data = JR_INIT(jr_work_data, .in = in, .count = COUNT, .out = p->d_sum);
    jr_status status = jr_capture_begin(p->context, p->stream);
    if (status != JR_OK) return status;
    status = jr_stream_write(p->context, p->d_in, p->in, COUNT * sizeof *p->in, p->stream);
    if (status == JR_OK) status = jr_work_plan_run(p->plan, &data, NULL, p->stream);
    if (status == JR_OK) status = jr_stream_read(p->context, p->sum, p->d_sum, sizeof *p->sum, p->stream);
    const jr_status ended = jr_capture_end(p->context, p->stream, &p->graph);
    return status == JR_OK ? ended : status;
}

static jr_status launch(const pipeline *p, int batch) {
    for (int i = 0; i < COUNT; i++) p->in[i] = batch * COUNT + i;
    jr_status status = jr_graph_launch(p->context, p->graph, p->stream);
    if (status == JR_OK) status = jr_stream_wait(p->context, p->stream);
    if (status == JR_OK) printf("batch %d: %lld\n", batch, (long long)*p->sum);
    return status;
}

static void destroy(const pipeline *p) {
    if (p->context == NULL) return;
    (void)jr_graph_destroy(p->context, p->graph);
    (void)jr_stream_destroy(p->context, p->stream);
    jr_plan_destroy(p->plan);
    jr_pinned_free(p->context, p->in);
    jr_pinned_free(p->context, p->sum);
    jr_memory_free(p->context, p->d_in);
    jr_memory_free(p->context, p->d_sum);
    jr_context_close(p->context);
}

int main(void) {
    pipeline p = {0};
    jr_status status = make(&p);
    if (status == JR_OK) status = capture(&p);
    for (int batch = 0; status == JR_OK && batch < BATCHES; batch++) status = launch(&p, batch);
    if (status != JR_OK) fprintf(stderr, "%s\n", jr_last_error()->message);
    destroy(&p);
    return status != JR_OK;
}
