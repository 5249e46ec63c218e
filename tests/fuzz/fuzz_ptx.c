/* PTX: parses a text as a module; what is accepted is executed, each kernel by two small blocks. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "sim/exec/sim_launch.h"

enum { MEMORY_BYTES = 1 << 20, BUFFER_BYTES = 4096, PARAMETER_BYTES_MAX = 4096, STEP_LIMIT = 20000, NAME_BYTES = 64 };

static uint64_t allocate(jrs_memory *memory, size_t bytes, bool read_only) {
    uint64_t address = 0;
    const jrs_block_request request = {
        .kind = JRS_MEMORY_DEVICE, .bytes = bytes > 0 ? bytes : 1, .read_only = read_only, .what = "fuzz"};
    return jrs_memory_allocate(memory, &request, &address) == 0 ? address : 0;
}

static void ignore(void *user, const char *text, size_t length) {
    (void)user, (void)text, (void)length;
}

static void note(void *user, const char *text) {
    (void)user, (void)text;
}

/* Every parameter of 8 bytes is the address of a buffer, every other one a small number. */
static void execute(const jrs_function *function, const jrs_memory *memory, uint64_t buffer, jrs_judge judge) {
    unsigned char parameters[PARAMETER_BYTES_MAX] = {3, 0};
    jrs_report report = {0};
    if (function->refusal != NULL || function->parameter_bytes > sizeof parameters) return;
    for (size_t i = 0; i < function->parameter_count; i++) {
        const uint32_t bytes = function->parameters[i].bytes;
        const uint64_t value = bytes == sizeof buffer ? buffer : 17;
        memcpy(parameters + function->parameters[i].offset, &value, bytes < sizeof value ? bytes : sizeof value);
    }
    const jrs_launch launch = {.function = function,
                               .grid = {2, 1, 1},
                               .block = {40, 1, 1},
                               .shared_bytes = 256,
                               .parameters = parameters,
                               .memory = memory,
                               .resident_blocks = 2,
                               .multiprocessors = 1,
                               .threads = 1,
                               .step_limit = STEP_LIMIT,
                               .print = ignore,
                               .note = note,
                               .judge = judge};
    if (!jrs_execute(&launch, &report)) fuzz_demand(report.message[0] != '\0');
}

/* Calls for every name that follows ".entry". */
static void execute_all(const jrs_module *module, const char *text, const jrs_memory *memory, uint64_t buffer,
                        jrs_judge judge) {
    for (const char *at = text; (at = strstr(at, ".entry")) != NULL;) {
        char name[NAME_BYTES];
        size_t length = 0;
        for (at += strlen(".entry"); isspace((unsigned char)*at); at++) {
        }
        while (length < sizeof name - 1 && (isalnum((unsigned char)*at) || strchr("_$%", *at)) && *at != '\0')
            name[length++] = *at++;
        name[length] = '\0';
        const jrs_function *function = length > 0 ? jrs_module_function(module, name) : NULL;
        if (function != NULL) execute(function, memory, buffer, judge);
    }
}

static void load(jrs_module *module, const char *text, jrs_judge judge) {
    jrs_memory *memory = jrs_memory_create(MEMORY_BYTES);
    bool placed = memory != NULL;
    for (jrs_global *global = module->globals; placed && global; global = global->next) {
        global->address = allocate(memory, global->bytes, global->constant);
        placed = global->address != 0;
    }
    const uint64_t buffer = placed ? allocate(memory, BUFFER_BYTES, false) : 0;
    if (buffer != 0) {
        jrs_module_link(module);
        execute_all(module, text, memory, buffer, judge);
    }
    jrs_memory_destroy(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    jrs_report report = {0};
    char *text = fuzz_text(data, size);
    jrs_module *module = jrs_module_parse(text, size, &report);
    if (module == NULL)
        fuzz_demand(report.message[0] != '\0');
    else
        load(module, text, size % 2 == 0 ? JRS_JUDGE_STRICT : JRS_JUDGE_OFF);
    jrs_module_destroy(module);
    free(text);
    return 0;
}
