/* Runs forms on a device, the simulator or a GPU, through the library's own driver calls. */
#ifndef TESTS_SUPPORT_FORM_RUN_H
#define TESTS_SUPPORT_FORM_RUN_H

#include "ptx_forms.h"

#include "device/memory.h"

typedef struct form_device {
    jr_device device;
    jr_cu_deviceptr results, sources[FORM_SOURCES];
} form_device;

/* Opens a device ("cuda", "sim", NULL: the setting) and takes its memory. *opened must not move afterwards. */
jr_status form_device_open(const char *name, form_device *opened);
void form_device_close(form_device *opened); /* one that is not open is fine */

/* Runs a row for each of its types; writes form_result_count(row) words for each, FORM_WORDS * FORM_ELEMENTS at most.
 */
jr_status form_run(const form_device *opened, const form_row *row, uint64_t *results);

#endif
