/* Runs forms: one module, one launch of one block for each type of a row. */
#include "form_run.h"

#include <string.h>

#include "base/error.h"
#include "device/launch.h"
#include "device/module.h"

enum { RESULT_BYTES = FORM_ELEMENTS * FORM_WORDS * 8, SOURCE_BYTES = FORM_ELEMENTS * 8 };

static jr_status take_memory(form_device *opened) {
    jr_status status = jr_memory_allocate(&opened->device, RESULT_BYTES, NULL, &opened->results);
    for (unsigned k = 0; status == JR_OK && k < FORM_SOURCES; k++)
        status = jr_memory_allocate(&opened->device, SOURCE_BYTES, NULL, &opened->sources[k]);
    return status;
}

jr_status form_device_open(const char *name, form_device *opened) {
    const jr_options options = {.device = name};
    bool pushed;
    memset(opened, 0, sizeof *opened);
    jr_status status = jr_device_open(&options, &opened->device);
    if (status != JR_OK) return status;
    status = jr_device_enter(&opened->device, &pushed);
    if (status == JR_OK) {
        status = take_memory(opened);
        jr_device_leave(&opened->device, pushed);
    }
    if (status != JR_OK) form_device_close(opened);
    return status;
}

void form_device_close(form_device *opened) {
    bool pushed;
    if (opened->device.driver.library == NULL) return;
    if (jr_device_enter(&opened->device, &pushed) == JR_OK) {
        for (unsigned k = 0; k < FORM_SOURCES; k++) jr_memory_release(&opened->device, opened->sources[k], NULL);
        jr_memory_release(&opened->device, opened->results, NULL);
        jr_device_leave(&opened->device, pushed);
    }
    jr_device_close(&opened->device);
    memset(opened, 0, sizeof *opened);
}

static jr_status launch(const form_device *opened, const jr_module *module, uint64_t *results, size_t bytes) {
    const jr_launch shape = JR_INIT(jr_launch, .grid = {1}, .block = {FORM_ELEMENTS});
    jr_cu_deviceptr addresses[1 + FORM_SOURCES] = {opened->results};
    void *arguments[1 + FORM_SOURCES];
    memcpy(addresses + 1, opened->sources, sizeof opened->sources);
    for (unsigned k = 0; k <= FORM_SOURCES; k++) arguments[k] = &addresses[k];
    jr_status status = jr_memory_clear(&opened->device, opened->results, RESULT_BYTES, NULL);
    if (status == JR_OK) status = jr_launch_run(&opened->device, module->function, &shape, arguments);
    if (status == JR_OK) status = jr_memory_download(&opened->device, results, opened->results, bytes, NULL);
    return status;
}

static jr_status run_type(const form_device *opened, const form_row *row, size_t type, uint64_t *results) {
    form_case form;
    uint64_t input[FORM_ELEMENTS];
    jr_module module;
    form_make(row, type, &form);
    const jr_image image = {
        .entry = "form", .architecture = "compute_90", .ptx = form.ptx, .ptx_bytes = strlen(form.ptx)};
    jr_status status = jr_module_load(&opened->device, &image, &module);
    if (status != JR_OK) return status;
    status = jr_module_find(&opened->device, image.entry, &module);
    for (unsigned k = 0; status == JR_OK && k < FORM_SOURCES; k++) {
        form_input(row, type, k, input);
        status = jr_memory_upload(&opened->device, opened->sources[k], input, sizeof input, NULL);
    }
    if (status == JR_OK) status = launch(opened, &module, results, form_result_count(row) * 8);
    jr_module_unload(&opened->device, &module);
    return status;
}

jr_status form_run(const form_device *opened, const form_row *row, uint64_t *results) {
    bool pushed;
    jr_status status = jr_device_enter(&opened->device, &pushed);
    if (status != JR_OK) return status;
    for (size_t type = 0; status == JR_OK && type < form_type_count(row); type++)
        status = run_type(opened, row, type, results + type * form_result_count(row));
    jr_device_leave(&opened->device, pushed);
    return status == JR_OK ? JR_OK : jr_fail_prefix("%s of %s: ", row->opcode, row->types);
}
