/* Calls of every public function of tunable kernels. */
#include "every_call.h"

#include <stdio.h>

static const char source[] = "extern \"C\" __global__ void add(int *out) { out[threadIdx.x] += MADE * 0 + 1; }";

static const char *const restrictions[] = {"BLOCK <= 32"};

/* number: makes it another one. */
typedef struct tunable_call {
    char number[16];
    jr_named_text constant, parameter;
    jr_program program;
    jr_tunable tunable;
    void *args[1];
    jr_tunable_output output;
    jr_tunable_problem problem;
} tunable_call;

static void make(every_world *w, int number, tunable_call *made) {
    *made = (tunable_call){.constant = {"MADE", made->number}, .parameter = {"BLOCK", w->wrong ? "32," : "32,64"}};
    snprintf(made->number, sizeof made->number, "%d", number);
    made->program = JR_INIT(jr_program, .name = "add", .source = source, .entry = "add", .constants = &made->constant,
                            .constant_count = 1);
    made->tunable = JR_INIT(jr_tunable, .program = &made->program, .parameters = &made->parameter, .parameter_count = 1,
                            .grid = "1", .block = "BLOCK", .restrictions = restrictions, .restriction_count = 1);
    made->args[0] = &w->d_out;
    made->output = (jr_tunable_output){.address = w->d_out, .bytes = 32 * sizeof(int32_t)};
    made->problem = JR_INIT(jr_tunable_problem, .args = made->args, .outputs = &made->output, .output_count = 1);
}

static jr_status compute(every_world *w, every_outs *o) {
    return jr_formula_compute(w->wrong ? "1 +" : "1 + 1", NULL, 0, &o->numbers[0]);
}

static jr_status tune(every_world *w, every_outs *o) {
    tunable_call on;
    make(w, 0, &on); /* its kernels are kept */
    return jr_tunable_tune(w->context, &on.tunable, &on.problem, NULL, &o->found);
}

static jr_status store(every_world *w, every_outs *o) {
    const jr_tunable_found found = JR_INIT(jr_tunable_found, .complete = 1, .best.values = {w->wrong ? 33 : 32});
    tunable_call on;
    (void)o;
    make(w, 0, &on);
    return jr_tunable_store(w->context, &on.tunable, NULL, &found);
}

static jr_status get(every_world *w, every_outs *o) {
    tunable_call on;
    make(w, ++w->made, &on);
    return jr_tunable_get(w->context, &on.tunable, NULL, &o->choice);
}

const every_call every_tunable_call[] = {{.name = "jr_formula_compute", .make = compute},
                                         {.name = "jr_tunable_tune", .make = tune, .drives = true},
                                         {.name = "jr_tunable_store", .make = store},
                                         {.name = "jr_tunable_get", .make = get, .drives = true},
                                         {.name = NULL}};
