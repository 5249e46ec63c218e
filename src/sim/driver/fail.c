/* Fault injection: one rule for the process, under a lock of its own. */
#include "fail.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings.h"
#include "jrsim.h"
#include "sim_device.h"

static const char *const names[] = {
#define FUNCTION_NAME(need, name, parameters) #name,
    JR_DRIVER_FUNCTIONS(FUNCTION_NAME)
#undef FUNCTION_NAME
};

enum { ERROR_MAX = 9999 };

typedef struct rule {
    const char *name; /* one of names, "*", or NULL: no rule */
    uint64_t nth;     /* 0: every call */
    uint64_t seen;
    int error;
} rule;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static rule current;
static uint64_t calls;
static char refused[101]; /* the setting if it is not a valid rule, cut to fit; else "" */

static bool same_function(const char *known, const char *asked, size_t length) {
    if (strncmp(known, asked, length) != 0) return false;
    return known[length] == '\0' || strcmp(known + length, "_v2") == 0;
}

static const char *find_name(const char *asked, size_t length) {
    if (length == 1 && *asked == '*') return "*";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length > 0 && same_function(names[i], asked, length)) return names[i];
    return NULL;
}

/* Reads ":number" if *text begins with a colon, and moves *text past it. False when no number follows the colon. */
static bool read_field(const char **text, uint64_t most, uint64_t *value) {
    if (**text != ':') return **text == '\0';
    const char *digits = *text + 1;
    char *end;
    if (*digits < '0' || *digits > '9') return false;
    *value = strtoull(digits, &end, 10);
    *text = end;
    return *value <= most;
}

static bool parse(const char *text, rule *parsed) {
    uint64_t error = JR_CUDA_ERROR_UNKNOWN;
    *parsed = (rule){0};
    if (!text || !*text) return true;
    size_t length = strcspn(text, ":");
    parsed->name = find_name(text, length);
    text += length;
    if (!parsed->name || !read_field(&text, UINT64_MAX - 1, &parsed->nth) || !read_field(&text, ERROR_MAX, &error))
        return false;
    parsed->error = (int)error;
    return !*text && error > 0;
}

static void read_setting(void) {
    const char *text = jr_setting_get(JR_SETTING_SIM_FAIL);
    if (parse(text, &current)) return;
    snprintf(refused, sizeof refused, "%s", text);
    current = (rule){0};
}

bool jrs_fail_configure(char *why) {
    pthread_once(&once, read_setting);
    if (!*refused) return true;
    snprintf(why, JRS_WHY_BYTES,
             "%s is '%s', which is not name[:nth[:error number]] with a driver function or * for the name and an error "
             "from 1 to %d",
             jr_setting_variable(JR_SETTING_SIM_FAIL), refused, ERROR_MAX);
    return false;
}

int jrsim_fail(const char *text) {
    rule parsed;
    pthread_once(&once, read_setting);
    if (!parse(text, &parsed)) return 1;
    pthread_mutex_lock(&lock);
    current = parsed;
    pthread_mutex_unlock(&lock);
    return 0;
}

int jrs_fail_call(const char *name) {
    int error = 0;
    pthread_once(&once, read_setting);
    pthread_mutex_lock(&lock);
    calls++;
    if (current.name && (*current.name == '*' || strcmp(current.name, name) == 0)) {
        current.seen++;
        if (current.nth == 0 || current.seen == current.nth) error = current.error;
    }
    pthread_mutex_unlock(&lock);
    return error;
}

uint64_t jrsim_calls(void) {
    pthread_mutex_lock(&lock);
    uint64_t sum = calls;
    pthread_mutex_unlock(&lock);
    return sum;
}
