/* Every form of the lists gives what was recorded on a GPU: on the simulator, and on any GPU of that kind again. */
#include <stdio.h>
#include <stdlib.h>

#include "base/files.h"
#include "support/fixtures/check.h"
#include "support/ptx/form_record.h"
#include "support/ptx/form_run.h"

enum { RESULT_WORDS = FORM_TYPES * FORM_ELEMENTS * FORM_WORDS, RECORD_LIMIT = 16 << 20 };

typedef struct opened_forms {
    form_device device;
    uint64_t results[RESULT_WORDS];
} opened_forms;

static int open_forms(void **state) {
    opened_forms *forms = calloc(1, sizeof *forms);
    assert_non_null(forms);
    if (form_device_open(NULL, &forms->device) != JR_OK) fail_msg("%s", jr_last_error()->message);
    *state = forms;
    return 0;
}

static int close_forms(void **state) {
    opened_forms *forms = *state;
    if (forms == NULL) return 0;
    form_device_close(&forms->device);
    free(forms);
    return 0;
}

static char *read_record(const char *name) {
    char path[JR_PATH_BYTES];
    void *bytes = NULL;
    size_t count = 0;
    const char *source = getenv("JR_TEST_SOURCE");
    snprintf(path, sizeof path, "%s/tests/support/ptx/recorded/%s.txt", source ? source : ".", name);
    if (jr_file_read(path, RECORD_LIMIT, &bytes, &count, NULL) != JR_OK) fail_msg("%s", jr_last_error()->message);
    return bytes;
}

static size_t count_differing_rows(opened_forms *forms, const form_family *family, const char *record) {
    size_t wrong = 0;
    for (size_t i = 0; i < *family->count; i++) {
        char why[256] = "";
        if (form_run(&forms->device, &family->rows[i], forms->results) != JR_OK)
            fail_msg("%s", jr_last_error()->message);
        if (form_record_compare(&family->rows[i], forms->results, &record, why)) continue;
        print_error("%s\n", why);
        wrong++;
    }
    if (*record) print_error("%s: the record goes on: %.60s\n", family->name, record);
    return wrong + (*record != '\0');
}

TEST(every_family_gives_what_a_gpu_gave) {
    size_t rows = 0, wrong = 0;
    for (size_t f = 0; f < form_family_count; f++) {
        const form_family *family = &form_families[f];
        char *record = read_record(family->name);
        wrong += count_differing_rows(*state, family, record);
        rows += *family->count;
        free(record);
    }
    assert_int_equal(wrong, 0);
    assert_true(rows > 600);
}

RUN_TESTS(open_forms, close_forms)
