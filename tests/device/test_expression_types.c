/* Expressions have the types and values that C gives them: random reductions, scans and segments with random map,
 * where, combine and finish over inputs of all types, against a reference that shares no code with the library.
 *
 * Some hundreds, whose kernels stay in the tests' cache; with JR_TESTS=whole a hundred thousand expressions, by a
 * process for each processor. A failure prints the seed: JR_SEED=<seed> runs that case alone. JR_PART=<k>/<n> runs the
 * k-th of n parts of the whole, for several machines; JR_CASES=<n> so many cases. JR_PRINT=1 prints the cases for
 * scripts, and runs nothing. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/expression/expression_text.h"
#include "support/fixtures/open_context.h"

enum {
    SAMPLE = 30,
    WHOLE = 36000,
    TYPES_SAMPLE = 3000,
    TYPES_WHOLE = 300000,
    REOPEN = 100,
    TOLD_MAX = 5,
    PROCESSES_MAX = 256
};

typedef struct tally {
    jr_context *context;
    uint64_t cases, expressions, inexact,
        failures; /* inexact: of the expressions, those of which only types are known */
} tally;

static uint64_t number_of(const char *name, uint64_t otherwise) {
    const char *text = getenv(name);
    return text != NULL && *text != '\0' ? strtoull(text, NULL, 10) : otherwise;
}

/* ---- one case ---- */

/* Room for all results: so many times the layout's bytes. */
enum { RESULT_BYTES_MAX = (CASE_ELEMENTS_MAX + 1) * (CASE_OPS_MAX + 1) * 16 };

static jr_status run_flat(jr_context *context, const expression_case *of, const jr_result_layout *layout,
                          const void *const *data, unsigned char *out) {
    jr_value values[JR_OPS_MAX];
    const jr_status status =
        jr_work_run_host(context, WORK(&of->spec), DATA(.in = data, .count = of->count, .values = values));
    for (int op = 0; op < of->op_count && status == JR_OK; op++) {
        assert_int_equal(values[op].type, layout->types[op]);
        memcpy(out + layout->offsets[op], &values[op].as, jr_type_size(values[op].type));
    }
    return status;
}

static jr_status run_segments(jr_context *context, const expression_case *of, const void *const *data,
                              unsigned char *out) {
    jr_segment_layout lie = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = of->length);
    jr_work_data segments = JR_INIT(jr_work_data, .segments = of->segment_count, .count = of->count);
    if (of->layout == CASE_OFFSETS) {
        lie = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_OFFSETS);
        segments.offsets = of->offsets;
    }
    if (of->layout == CASE_KEYS) {
        lie = JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_KEYS, .key_type = JR_I32);
        segments.keys = of->keys;
    }
    if (of->layout == CASE_SCAN_ROWS)
        return jr_work_run_host(
            context,
            WORK(&of->spec, .kind = of->exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE, .layout = &lie),
            DATA_OF(segments, data, out));
    return jr_work_run_host(context, WORK(&of->spec, .layout = &lie), DATA_OF(segments, data, out));
}

static jr_status run_case(jr_context *context, const expression_case *of, const jr_result_layout *layout,
                          unsigned char *out) {
    const void *data[JR_INPUTS_MAX] = {of->data[0], of->data[1], of->data[2], of->data[3]};
    const uint64_t shape[] = {of->length, of->inner};
    const jr_axis axis = JR_INIT(jr_axis, .shape = shape, .dimensions = 2, .axis = 0);
    switch (of->layout) {
    case CASE_FLAT: return run_flat(context, of, layout, data, out);
    case CASE_AXIS: return jr_work_run_host(context, WORK(&of->spec, .axis = &axis), DATA(.in = data, .out = out));
    case CASE_SCAN:
        return jr_work_run_host(
            context, WORK(&of->spec, .kind = of->exclusive ? JR_WORK_SCAN_EXCLUSIVE : JR_WORK_SCAN_INCLUSIVE),
            DATA(.in = data, .count = of->count, .out = out));
    default: return run_segments(context, of, data, out);
    }
}

/* What is wrong, and false. */
enum { WORDS = 1200 };
static bool differs(char words[WORDS], const char *what) {
    snprintf(words, WORDS, "%s", what);
    return false;
}

static bool types_agree(const expression_case *of, jr_result_layout *layout, char words[WORDS]) {
    *layout = JR_INIT(jr_result_layout);
    if (jr_result_layout_of(&of->spec, layout) != JR_OK) return differs(words, jr_last_error()->message);
    for (int op = 0; op < of->op_count; op++) {
        if (layout->types[op] == of->result_types[op]) continue;
        snprintf(words, WORDS, "result %d is of type %s, not %s", op, jr_type_name(layout->types[op]),
                 jr_type_name(of->result_types[op]));
        return false;
    }
    return true;
}

static bool value_agrees(const expression_case *of, int op, uint64_t r, const void *value, char words[WORDS]) {
    const jr_type type = of->result_types[op];
    uint64_t aligned[2] = {0};
    char got[40], wanted[40];
    memcpy(aligned, value, jr_type_size(type));
    const c_number number = c_element_read(type, aligned, 0);
    if (c_element_equal(number, of->results[op][r])) return true;
    expression_number_print(number, got, sizeof got);
    expression_number_print(of->results[op][r], wanted, sizeof wanted);
    snprintf(words, WORDS, "result %" PRIu64 " of %s is %s, not %s (%s)", r, jr_op_name(of->ops[op]), got, wanted,
             jr_type_name(type));
    return false;
}

static bool case_agrees(jr_context *context, const expression_case *of, char words[WORDS]) {
    unsigned char out[RESULT_BYTES_MAX];
    jr_result_layout layout;
    if (!types_agree(of, &layout, words)) return false;
    const jr_status status = run_case(context, of, &layout, out);
    if ((of->is_empty || of->is_inexact) && status == JR_ERROR_EMPTY_INPUT) return true;
    if (of->is_empty && !of->is_inexact) return differs(words, "a result of no elements has a value, or another error");
    if (status != JR_OK) {
        snprintf(words, WORDS, "%s\n%s", jr_last_error()->message, jr_last_error()->log);
        return false;
    }
    for (int op = 0; op < of->op_count && !of->is_inexact; op++)
        for (uint64_t r = 0; r < of->result_count; r++)
            if (!value_agrees(of, op, r, out + r * layout.bytes + layout.offsets[op], words)) return false;
    return true;
}

/* ---- a failure ---- */

typedef struct failure {
    jr_context *context; /* NULL: types alone are compared */
    char words[WORDS];
} failure;

static bool case_fails(const expression_case *of, void *user) {
    failure *told = user;
    jr_result_layout layout;
    return told->context == NULL ? !types_agree(of, &layout, told->words)
                                 : !case_agrees(told->context, of, told->words);
}

/* Tells of a case if it fails; true if so. */
static bool tell_failure(expression_case *of, failure *told) {
    if (!case_fails(of, told)) return false;
    print_error("%s\n", told->words);
    expression_case_tell(of);
    expression_case_shrink(of, case_fails, told);
    print_error("smaller: %s\n", case_fails(of, told) ? told->words : "it does not fail again");
    expression_case_tell(of);
    return true;
}

/* ---- many cases ---- */

static void open_again(tally *of) {
    const jr_options options = JR_INIT(jr_options, .cache_dir = tests_are_whole() ? "" : NULL);
    jr_context_close(of->context);
    of->context = NULL;
    works(jr_context_open(&options, &of->context));
}

/* Seeds first, first + step, ... up to end; no more once a few have failed. */
static void run_cases(uint64_t first, uint64_t end, uint64_t step, tally *made) {
    failure told = {.context = NULL};
    expression_case *of = malloc(sizeof *of);
    assert_non_null(of);
    *made = (tally){0};
    for (uint64_t seed = first; seed < end && made->failures < number_of("JR_FAILURES", TOLD_MAX); seed += step) {
        if (made->cases++ % REOPEN == 0) open_again(made);
        expression_case_make(seed, of);
        made->expressions += (uint64_t)expression_case_count(of);
        made->inexact += of->is_inexact ? (uint64_t)expression_case_count(of) : 0;
        told.context = made->context;
        made->failures += tell_failure(of, &told);
    }
    jr_context_close(made->context);
    free(of);
}

static void say(const tally *of) {
    print_message("%" PRIu64 " cases with %" PRIu64 " expressions (of %" PRIu64 " the types alone), %" PRIu64
                  " wrong\n",
                  of->cases, of->expressions, of->inexact, of->failures);
    (void)fflush(stdout); /* a process that _exit ends would lose it */
}

/* A process for each processor, each with its share of the seeds. */
static void run_in_processes(uint64_t first, uint64_t end) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const uint64_t count = processors > PROCESSES_MAX ? PROCESSES_MAX : (uint64_t)processors;
    uint64_t failed = 0;
    (void)fflush(stdout);
    for (uint64_t k = 0; k < count; k++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child > 0) continue;
        tally made;
        run_cases(first + k, end, count, &made);
        say(&made);
        _exit(made.failures > 0);
    }
    for (uint64_t k = 0; k < count; k++) {
        int status = 0;
        assert_true(wait(&status) > 0);
        failed += status != 0;
    }
    assert_int_equal(failed, 0);
}

/* The seeds that are asked for. */
static void choose_seeds(uint64_t sample, uint64_t whole, uint64_t *first, uint64_t *end) {
    const char *part = getenv("JR_PART"), *parts = part != NULL ? strchr(part, '/') : NULL;
    const uint64_t count = number_of("JR_CASES", tests_are_whole() ? whole : sample);
    *first = number_of("JR_SEED", 1);
    *end = *first + (getenv("JR_SEED") != NULL && getenv("JR_CASES") == NULL ? 1 : count);
    if (parts == NULL) return;
    const uint64_t k = strtoull(part, NULL, 10), of = strtoull(parts + 1, NULL, 10), begin = *first;
    assert_true(k >= 1 && k <= of);
    *first = begin + (k - 1) * count / of;
    *end = begin + k * count / of;
}

TEST(expressions_have_the_values_that_c_gives_them) {
    uint64_t first, end;
    choose_seeds(SAMPLE, WHOLE, &first, &end);
    if (tests_are_whole()) {
        run_in_processes(first, end);
        return;
    }
    tally made;
    run_cases(first, end, 1, &made);
    say(&made);
    assert_int_equal(made.failures, 0);
}

/* Without a device and a compiler, so that there can be many. */
TEST(results_have_the_types_that_the_rule_says) {
    uint64_t first, end, failures = 0;
    failure told = {.context = NULL};
    expression_case *of = malloc(sizeof *of);
    assert_non_null(of);
    choose_seeds(TYPES_SAMPLE, TYPES_WHOLE, &first, &end);
    for (uint64_t seed = first; seed < end && failures < number_of("JR_FAILURES", TOLD_MAX); seed++) {
        expression_case_make(seed, of);
        failures += tell_failure(of, &told);
    }
    free(of);
    assert_int_equal(failures, 0);
}

static int print_cases(void) {
    static expression_case of;
    uint64_t first, end;
    choose_seeds(SAMPLE, WHOLE, &first, &end);
    for (uint64_t seed = first; seed < end; seed++) {
        expression_case_make(seed, &of);
        expression_case_write(&of);
    }
    return 0;
}

int main(void) {
    if (getenv("JR_PRINT") != NULL) return print_cases();
    return check_run(NULL, NULL);
}
