/* Reads the devices of a group, and opens them. */
#include "devices.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/settings.h"
#include "device/device.h"
#include "kernel/context.h"
#include "wisdom/advice.h"

enum { ORDINAL_MAX = 1023 };

typedef struct device_list {
    const char *single; /* a name that a context takes, too: "auto", "cuda", "cuda:2", "sim", "sim#1"; NULL: a list */
    const char *source; /* of the name, for messages */
    bool simulated;
    int ordinals[JR_GROUP_DEVICES_MAX];
    size_t count;
} device_list;

static jr_status refuse(const char *text, const char *source) {
    return jr_fail(
        JR_ERROR_INVALID_ARGUMENT,
        "unknown devices '%s'%s: give \"cuda:all\", \"cuda:0,2\", \"sim:4\" for 4 simulated devices, \"sim:0,1\" "
        "or \"sim:all\" for those of %s, at most %d; or one: \"auto\", \"cuda\", \"cuda:N\", \"sim\", \"sim#N\"",
        text, source, jr_setting_variable(JR_SETTING_SIM_DEVICES), JR_GROUP_DEVICES_MAX);
}

static jr_status count_devices(const char *path, bool simulated, int *count) {
    jr_driver driver;
    JR_TRY(jr_driver_open(NULL, path, simulated, NULL, &driver));
    jr_status status = jr_driver_check(&driver, driver.cuInit(0), "initialising the driver");
    if (status == JR_OK) status = jr_driver_check(&driver, driver.cuDeviceGetCount(count), "counting the devices");
    jr_driver_close(&driver);
    if (status == JR_OK && *count == 0) return jr_fail(JR_ERROR_NO_DEVICE, "this machine has no device");
    return status;
}

/* "0,2"; false when it is not such a list, or has too many devices. */
static bool read_ordinals(const char *text, device_list *list) {
    while (isdigit((unsigned char)*text) && list->count < JR_GROUP_DEVICES_MAX) {
        char *end;
        const long number = strtol(text, &end, 10);
        if (number > ORDINAL_MAX) return false;
        list->ordinals[list->count++] = (int)number;
        if (*end == '\0') return true;
        if (*end != ',') return false;
        text = end + 1;
    }
    return false;
}

/* As many as there are, or as are asked for, in turn. */
static jr_status take_devices(const char *path, size_t asked, device_list *list) {
    int there = 0;
    JR_TRY(count_devices(path, list->simulated, &there));
    list->count = asked > 0 ? asked : (size_t)there;
    if (list->count > JR_GROUP_DEVICES_MAX) list->count = JR_GROUP_DEVICES_MAX;
    for (size_t i = 0; i < list->count; i++) list->ordinals[i] = (int)i % there;
    return JR_OK;
}

/* True when a context takes this name, too. */
static bool is_single(const char *text) {
    bool simulated;
    int ordinal;
    JR_KEEP_ERROR;
    return jr_device_parse(text, &simulated, &ordinal) == JR_OK;
}

/* A number after "sim:" is how many: the simulator makes as many as are asked for. After "cuda:" it is which one. */
static jr_status read_list(const char *text, const jr_options *options, device_list *list) {
    if (is_single(text)) {
        list->single = text;
        list->count = 1;
        return JR_OK;
    }
    list->simulated = strncmp(text, "sim:", 4) == 0;
    const char *path = list->simulated ? options->simulator : options->driver;
    if (!list->simulated && strncmp(text, "cuda:", 5) != 0) return refuse(text, list->source);
    const char *numbers = strchr(text, ':') + 1;
    if (strcmp(numbers, "all") == 0) return take_devices(path, 0, list);
    if (!read_ordinals(numbers, list)) return refuse(text, list->source);
    if (!list->simulated || strchr(numbers, ',') != NULL) return JR_OK;
    const int asked = list->ordinals[0];
    if (asked > JR_GROUP_DEVICES_MAX)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "'%s'%s are %d devices: a group has at most %d", text, list->source,
                       asked, JR_GROUP_DEVICES_MAX);
    if (asked < 1) return refuse(text, list->source);
    return take_devices(path, (size_t)asked, list);
}

static jr_status open_one(const device_list *list, size_t index, const jr_options *options, jr_context **context) {
    char name[32];
    jr_options own = *options;
    snprintf(name, sizeof name, "%s%d", list->simulated ? "sim#" : "cuda:", list->ordinals[index]);
    own.device = list->single != NULL ? list->single : name;
    JR_TRY(jr_context_make(&own, context));
    const jr_status status = jr_advice_open(*context, own.wisdom);
    if (status != JR_OK) jr_context_free(*context);
    return status;
}

jr_status jr_group_devices_open(const char *text, const jr_options *options, jr_context **contexts, size_t *count) {
    device_list list = {.source = jr_device_source(text)};
    jr_context *opened[JR_GROUP_DEVICES_MAX];
    size_t have = 0;
    if (text == NULL) text = jr_setting_get(JR_SETTING_DEVICE);
    if (text == NULL || text[0] == '\0') text = "auto";
    jr_status status = read_list(text, options, &list);
    while (status == JR_OK && have < list.count) {
        status = open_one(&list, have, options, &opened[have]);
        if (status == JR_OK) have++;
    }
    if (status == JR_OK) {
        for (size_t i = 0; i < have; i++) contexts[i] = opened[i];
        *count = have;
        return JR_OK;
    }
    if (status == JR_ERROR_DRIVER_NOT_FOUND && list.single == NULL && !list.simulated)
        jr_fail_prefix("'%s' are GPUs (\"sim:4\" are four simulated devices): ", text);
    JR_KEEP_ERROR;
    while (have > 0) jr_context_free(opened[--have]);
    return status;
}
