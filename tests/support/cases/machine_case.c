/* PTX text to a finished launch. */
#include "machine_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/exec/memory/heap.h"

static void print(void *user, const char *text, size_t length) {
    machine_case *test = user;
    size_t used = strlen(test->printed);
    snprintf(test->printed + used, MACHINE_PRINTED - used, "%.*s", (int)length, text);
}

static void note(void *user, const char *text) {
    machine_case *test = user;
    test->note_count++;
    snprintf(test->note, sizeof test->note, "%s", text);
}

static void tell(void *user, const char *text) {
    machine_case *test = user;
    const size_t used = strlen(test->told);
    assert_in_range(used, 0, MACHINE_PRINTED - 512);
    snprintf(test->told + used, MACHINE_PRINTED - used, "%s\n", text ? text : "(end)");
}

static uint64_t allocate(jrs_memory *memory, size_t bytes, bool read_only, const char *what) {
    uint64_t address = 0;
    jrs_block_request request = {.kind = JRS_MEMORY_DEVICE, .bytes = bytes, .read_only = read_only, .what = what};
    assert_int_equal(jrs_memory_allocate(memory, &request, &address), 0);
    return address;
}

static jrs_module *load(machine_case *test, jrs_memory *memory) {
    jrs_module *module = jrs_module_parse(test->ptx, strlen(test->ptx), &test->report);
    if (!module) fail_msg("%s", test->report.message);
    for (jrs_global *global = module ? module->globals : NULL; global; global = global->next)
        global->address = allocate(memory, global->bytes, global->constant, global->name);
    jrs_module_link(module);
    return module;
}

static jrs_heap *make_heap(const machine_case *test, jrs_memory *memory) {
    jrs_heap *heap = NULL;
    if (test->heap_bytes) assert_int_equal(jrs_heap_create(memory, (jrs_owner){0}, test->heap_bytes, &heap), 0);
    return heap;
}

/* JRSIM_NATIVE=only has all launches of all tests made by compiled code: each takes a compile. */
static jrs_native_mode native_of(const machine_case *test) {
    const char *wanted = getenv("JRSIM_NATIVE");
    return wanted && strcmp(wanted, "only") == 0 ? JRS_NATIVE_ONLY : test->native;
}

bool machine_run(machine_case *test) {
    jrs_memory *memory = jrs_memory_create(UINT64_C(1) << 30);
    jrs_module *module = load(test, memory);
    uint64_t words = allocate(memory, sizeof test->words, false, "device allocation"), stale;
    stale = allocate(memory, 64, false, "device allocation");
    assert_true(jrs_memory_release(memory, JRS_MEMORY_DEVICE, stale));
    memcpy(&test->words[MACHINE_STALE], &stale, sizeof stale);
    memcpy((void *)(uintptr_t)words, test->words, sizeof test->words);
    jrs_heap *heap = make_heap(test, memory);
    jrs_launch launch = {.function = jrs_module_function(module, "k"),
                         .dependent = test->dependent,
                         .grid = {test->grid ? test->grid : 1, 1, 1},
                         .block = {test->block ? test->block : 32, 1, 1},
                         .cluster = {test->cluster, test->cluster ? 1 : 0, test->cluster ? 1 : 0},
                         .shared_bytes = test->shared_bytes,
                         .parameters = &words,
                         .memory = memory,
                         .heap = heap,
                         .activity = test->activity,
                         .resident_blocks = test->resident ? test->resident : 1,
                         .multiprocessors = 1,
                         .threads = test->threads ? test->threads : 1,
                         .seed = test->seed,
                         .step_limit = test->step_limit ? test->step_limit : 50000000,
                         .print = print,
                         .note = note,
                         .judge = test->judge,
                         .native = native_of(test),
                         .rounds = {test->told ? tell : NULL, test},
                         .user = test};
    assert_non_null(launch.function);
    if (launch.function->refusal) fail_msg("%s", launch.function->refusal);
    bool done = jrs_execute(&launch, &test->report);
    memcpy(test->words, (void *)(uintptr_t)words, sizeof test->words);
    if (heap) test->leaks = jrs_heap_leaks(heap, note, test);
    jrs_module_destroy(module);
    jrs_memory_destroy(memory);
    jrs_heap_destroy(heap);
    return done;
}

void machine_good(machine_case *test) {
    if (!machine_run(test)) fail_msg("%s", test->report.message);
}

static void has_words(const char *message, const char *words) {
    if (!strstr(message, words)) fail_msg("'%s' is not in: %s", words, message);
}

const machine_case *machine_made(const char *ptx) {
    static machine_case test;
    test = (machine_case){.ptx = ptx};
    machine_good(&test);
    return &test;
}

void machine_fails(machine_case *test, int error, const char *words) {
    if (machine_run(test)) fail_msg("the launch succeeded, '%s' was expected", words);
    has_words(test->report.message, words);
    assert_int_equal(test->report.error, error);
}

void machine_refuses(const char *ptx, const char *words) {
    jrs_report report = {0};
    jrs_module *module = jrs_module_parse(ptx, strlen(ptx), &report);
    if (module) fail_msg("the text was parsed, '%s' was expected", words);
    has_words(report.message, words);
    assert_int_equal(report.error, 218);
}

void machine_lacks(const char *ptx, const char *words) {
    jrs_report report = {0};
    jrs_module *module = jrs_module_parse(ptx, strlen(ptx), &report);
    if (!module) fail_msg("%s", report.message);
    const char *refusal = jrs_module_function(module, "k")->refusal;
    has_words(refusal ? refusal : "the kernel was not refused", words);
    jrs_module_destroy(module);
}
