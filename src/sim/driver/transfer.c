/* Transfers: copying and filling, with the same checks at run time that a kernel's accesses get. */
#include "transfer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *at(uint64_t address) {
    return (void *)(uintptr_t)address;
}

/* False and a report when the span is not live memory of the device. */
static bool check(const jrs_memory *memory, const char *what, uint64_t address, size_t bytes, jrs_report *report) {
    char reason[256];
    if (bytes == 0 || jrs_memory_holds(memory, address, bytes)) return true;
    jrs_memory_explain(memory, address, bytes, reason, sizeof reason);
    report->error = JR_CUDA_ERROR_ILLEGAL_ADDRESS;
    snprintf(report->message, sizeof report->message, "%s: %s", what, reason);
    return false;
}

typedef struct copy_task {
    jrs_task task;
    const jrs_memory *memory;
    jrs_copy copy;
    unsigned char staged[]; /* the source's bytes, when it points here */
} copy_task;

static bool copy_run(jrs_task *task, jrs_report *report) {
    const copy_task *self = (copy_task *)task;
    const jrs_copy *copy = &self->copy;
    if (copy->target_on_device && !check(self->memory, "target of a copy", copy->target, copy->bytes, report))
        return false;
    if (copy->source_on_device && !check(self->memory, "source of a copy", copy->source, copy->bytes, report))
        return false;
    memmove(at(copy->target), at(copy->source), copy->bytes);
    return true;
}

static void task_free(jrs_task *task) {
    free(task);
}

jrs_task *jrs_copy_create(jrs_driver *driver, const jrs_copy *copy, bool staged) {
    copy_task *self = malloc(sizeof *self + (staged ? copy->bytes : 0));
    if (!self) return NULL;
    *self = (copy_task){{.run = copy_run, .destroy = task_free}, driver->memory, *copy};
    if (staged) {
        memcpy(self->staged, at(copy->source), copy->bytes);
        self->copy.source = (uintptr_t)self->staged;
    }
    return &self->task;
}

typedef struct fill_task {
    jrs_task task;
    const jrs_memory *memory;
    jrs_fill fill;
} fill_task;

static bool fill_run(jrs_task *task, jrs_report *report) {
    const fill_task *self = (fill_task *)task;
    const jrs_fill *fill = &self->fill;
    if (!check(self->memory, "target of a memset", fill->target, fill->count * fill->width, report)) return false;
    uint32_t *words = at(fill->target);
    if (fill->width == 1)
        memset(words, (int)(fill->value & 0xff), fill->count);
    else
        for (size_t i = 0; i < fill->count; i++) words[i] = fill->value;
    return true;
}

jrs_task *jrs_fill_create(jrs_driver *driver, const jrs_fill *fill) {
    fill_task *self = malloc(sizeof *self);
    if (!self) return NULL;
    *self = (fill_task){{.run = fill_run, .destroy = task_free}, driver->memory, *fill};
    return &self->task;
}
