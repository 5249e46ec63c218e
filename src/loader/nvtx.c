/* Finds a profiler and speaks NVTX to it. */
#include "nvtx.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/log.h"
#include "base/settings.h"
#include "open_library.h"

enum { TABLE_CALLBACKS = 1, TABLE_VERSION = 3 }; /* export tables that a profiler asks for */
enum { MODULE_DOMAINS = 5, MODULES = 7, FUNCTIONS_MOST = 16 };
enum { DOMAIN_RANGE_PUSH = 4, DOMAIN_RANGE_POP = 5, DOMAIN_CREATE = 12 };
enum { NVTX_VERSION = 3, ASCII_TEXT = 1 };

typedef void (*function)(void);

typedef struct event_attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
} event_attributes;

/* Functions of each module, which the profiler writes: place 0 of a module is unused. */
static const int counts[MODULES] = {[1] = 16, 9, 15, 7, 16, 8};
static function functions[MODULES][FUNCTIONS_MOST];
static function *places[MODULES][FUNCTIONS_MOST + 1]; /* NULL after the last */
static void *domain;
static pthread_once_t once = PTHREAD_ONCE_INIT;
atomic_bool jr_nvtx_is_open;

/* bytes: of the table with its end. */
static int module_functions(int module, function ***table, unsigned *bytes) {
    if (module < 1 || module >= MODULES || table == NULL) return 0;
    *table = places[module];
    if (bytes != NULL) *bytes = (unsigned)((size_t)(counts[module] + 1) * sizeof **table);
    return 1;
}

static void take_version(uint32_t version) {
    (void)version; /* of the profiler: all that is used is in each */
}

static const struct {
    size_t size;
    int (*module_functions)(int module, function ***table, unsigned *bytes);
} callbacks = {sizeof callbacks, module_functions};

static const struct {
    size_t size;
    uint32_t version, reserved;
    void (*take_version)(uint32_t version);
} version = {sizeof version, NVTX_VERSION, 0, take_version};

static const void *export_table(uint32_t table) {
    return table == TABLE_CALLBACKS ? (const void *)&callbacks : table == TABLE_VERSION ? (const void *)&version : NULL;
}

/* Lets the profiler fill in its functions; false where it does not take part. */
static bool attach(void *library) {
    for (int m = 1; m < MODULES; m++)
        for (int i = 1; i < counts[m]; i++) places[m][i] = &functions[m][i];
    int (*begin)(const void *(*tables)(uint32_t)) = NULL;
    *(void **)&begin = dlsym(library, "InitializeInjectionNvtx2");
    if (begin == NULL || begin(export_table) == 0) return false;
    return functions[MODULE_DOMAINS][DOMAIN_RANGE_PUSH] != NULL &&
           functions[MODULE_DOMAINS][DOMAIN_RANGE_POP] != NULL && functions[MODULE_DOMAINS][DOMAIN_CREATE] != NULL;
}

static void open_once(void) {
    const char *path = jr_setting_get(JR_SETTING_NVTX);
    if (path == NULL || *path == '\0') return;
    char found[JR_PATH_BYTES], reason[256] = "it has no function InitializeInjectionNvtx2, or it does not take part";
    void *library = jr_library_open(path, RTLD_LAZY | RTLD_LOCAL, found, reason, sizeof reason);
    if (library == NULL || !attach(library)) {
        jr_log(JR_LOG_WARNING, "profiler %s (setting %s) gets no ranges: %s", path,
               jr_setting_variable(JR_SETTING_NVTX), reason);
        return; /* a profiler that has begun may not be unloaded */
    }
    domain = ((void *(*)(const char *))functions[MODULE_DOMAINS][DOMAIN_CREATE])("jitreduce");
    atomic_store_explicit(&jr_nvtx_is_open, true, memory_order_release);
}

void jr_nvtx_open(void) {
    pthread_once(&once, open_once);
}

bool jr_nvtx_push(const char *what, const char *name) {
    if (!atomic_load_explicit(&jr_nvtx_is_open, memory_order_acquire)) return false;
    char text[256];
    snprintf(text, sizeof text, "%s %s", what, name);
    const event_attributes attributes = {
        .version = NVTX_VERSION, .size = sizeof attributes, .message_type = ASCII_TEXT, .message = text};
    ((int (*)(void *, const event_attributes *))functions[MODULE_DOMAINS][DOMAIN_RANGE_PUSH])(domain, &attributes);
    return true;
}

void jr_nvtx_pop(void) {
    ((int (*)(void *))functions[MODULE_DOMAINS][DOMAIN_RANGE_POP])(domain);
}
