/* Keeps, restores and compares the outputs of a tunable's problem. */
#include "tune_outputs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/memory.h"

/* Reads an output. */
static jr_status fetch(const jr_outputs *self, size_t index, unsigned char *to) {
    const jr_tunable_output *output = &self->problem->outputs[index];
    if (output->bytes == 0) return JR_OK;
    return jr_memory_download(self->device, to, jr_cu_address(output->address), output->bytes, NULL);
}

/* ---- before ---- */

static jr_status allocate(jr_outputs *self) {
    const jr_tunable_problem *problem = self->problem;
    uint64_t most = 0;
    self->bytes = calloc(problem->output_count + 1, sizeof *self->bytes);
    bool memory = self->bytes != NULL;
    for (size_t i = 0; memory && i < problem->output_count; i++) {
        const uint64_t bytes = problem->outputs[i].bytes;
        self->bytes[i].before = malloc(bytes + 1);
        self->bytes[i].expected = malloc(bytes + 1);
        memory = self->bytes[i].before != NULL && self->bytes[i].expected != NULL;
        if (bytes > most) most = bytes;
    }
    self->now = memory ? malloc(most + 1) : NULL;
    return self->now != NULL ? JR_OK : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for what the outputs are to be");
}

jr_status jr_outputs_keep(const jr_device *device, const jr_tunable_problem *problem, jr_outputs *outputs) {
    *outputs = (jr_outputs){.device = device, .problem = problem};
    jr_status status = allocate(outputs);
    for (size_t i = 0; status == JR_OK && i < problem->output_count; i++)
        status = fetch(outputs, i, outputs->bytes[i].before);
    outputs->kept = status == JR_OK;
    return status;
}

jr_status jr_outputs_reset(const jr_outputs *outputs) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && i < outputs->problem->output_count; i++) {
        const jr_tunable_output *output = &outputs->problem->outputs[i];
        if (output->bytes > 0)
            status = jr_memory_upload(outputs->device, jr_cu_address(output->address), outputs->bytes[i].before,
                                      output->bytes, NULL);
    }
    return status;
}

void jr_outputs_give_back(jr_outputs *outputs) {
    JR_KEEP_ERROR;
    if (outputs->kept && jr_outputs_reset(outputs) == JR_OK) (void)jr_memory_wait(outputs->device, NULL);
    for (size_t i = 0; outputs->bytes != NULL && i < outputs->problem->output_count; i++) {
        free(outputs->bytes[i].before);
        free(outputs->bytes[i].expected);
    }
    free(outputs->bytes);
    free(outputs->now);
    *outputs = (jr_outputs){0};
}

/* ---- after a run ---- */

static double element_of(const unsigned char *array, jr_type type, uint64_t index) {
    float single;
    double value;
    if (type == JR_F32) {
        memcpy(&single, array + index * sizeof single, sizeof single);
        return (double)single;
    }
    memcpy(&value, array + index * sizeof value, sizeof value);
    return value;
}

/* Infinities are near themselves alone. */
static bool is_near(const jr_tunable_output *output, double expected, double got) {
    if (isnan(expected) || isnan(got)) return isnan(expected) && isnan(got);
    if (isinf(expected) || isinf(got)) return expected == got;
    return fabs(got - expected) <= output->absolute + output->relative * fabs(expected);
}

/* Compares one output, as its type and tolerances say; why: stays "" where nothing is wrong, else names the first
 * element that differs. expected, got: host memory, at any alignment. */
static void compare_output(const jr_tunable_output *output, size_t index, const unsigned char *expected,
                           const unsigned char *got, char why[JR_REASON_BYTES]) {
    if (memcmp(expected, got, output->bytes) == 0) return;
    if (output->type == JR_TYPE_NONE) {
        uint64_t at = 0;
        while (expected[at] == got[at]) at++;
        snprintf(why, JR_REASON_BYTES, "output %zu: byte %llu is 0x%02x, and 0x%02x is expected", index,
                 (unsigned long long)at, got[at], expected[at]);
        return;
    }
    const uint64_t count = output->bytes / (output->type == JR_F32 ? sizeof(float) : sizeof(double));
    for (uint64_t i = 0; i < count; i++) {
        const double wanted = element_of(expected, output->type, i), found = element_of(got, output->type, i);
        if (is_near(output, wanted, found)) continue;
        snprintf(why, JR_REASON_BYTES, "output %zu: element %llu is %.17g, and %.17g is expected", index,
                 (unsigned long long)i, found, wanted);
        return;
    }
}

jr_status jr_outputs_verify(const jr_outputs *outputs, char why[JR_REASON_BYTES]) {
    jr_status status = JR_OK;
    for (size_t i = 0; status == JR_OK && why[0] == '\0' && i < outputs->problem->output_count; i++) {
        status = fetch(outputs, i, outputs->now);
        if (status == JR_OK)
            compare_output(&outputs->problem->outputs[i], i, outputs->bytes[i].expected, outputs->now, why);
    }
    return status;
}

jr_status jr_outputs_expect(const jr_outputs *outputs) {
    char why[JR_REASON_BYTES] = "";
    for (size_t i = 0; i < outputs->problem->output_count; i++) {
        const jr_tunable_output *output = &outputs->problem->outputs[i];
        if (output->expected != NULL)
            memcpy(outputs->bytes[i].expected, output->expected, output->bytes);
        else
            JR_TRY(fetch(outputs, i, outputs->bytes[i].expected));
    }
    JR_TRY(jr_outputs_verify(outputs, why));
    if (why[0] == '\0') return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "what is expected is not what this setting gives: %s", why);
}
