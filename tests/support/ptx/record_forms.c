/* Records what a device makes of every form of the tests' lists: writes FOLDER/<family>.txt, as
 * tests/support/ptx/recorded keeps them, and FOLDER/differences.txt, which says where the simulator gives something
 * else.
 *
 * usage: record_forms [--device cuda|cuda:N|sim|sim:N] FOLDER
 * On a GPU: `make record` builds it; copy the files but the last to tests/support/ptx/recorded when they are right. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "form_record.h"
#include "form_run.h"

#include "base/files.h"

enum { RESULT_WORDS = FORM_TYPES * FORM_ELEMENTS * FORM_WORDS, SHOWN = 6 };

typedef struct recorder {
    const char *folder;
    form_device device, other; /* other: the simulator, when it can be had and is not the device */
    bool compares;
    uint64_t *results, *other_results;
    jr_text differences;
    unsigned refused;
} recorder;

static bool fail(void) {
    fprintf(stderr, "record_forms: %s\n", jr_last_error()->message);
    return false;
}

/* ---- where the simulator gives something else ---- */

static void show_word(recorder *r, const form_row *row, size_t type, size_t at) {
    const size_t each = form_result_count(row) / FORM_ELEMENTS, index = type * form_result_count(row) + at;
    uint64_t input[FORM_ELEMENTS];
    char name[16];
    jr_text_append(&r->differences, "    thread %zu word %zu, sources", at / each, at % each);
    for (unsigned k = 0; form_operand_type(row, type, k + 1, name); k++) {
        form_input(row, type, k, input);
        jr_text_append(&r->differences, " 0x%" PRIx64, input[at / each]);
    }
    jr_text_append(&r->differences, ": 0x%" PRIx64 ", simulator 0x%" PRIx64 "\n", r->results[index],
                   r->other_results[index]);
}

static void show_type(recorder *r, const form_row *row, size_t type) {
    const size_t count = form_result_count(row), first = type * count;
    size_t differing = 0;
    for (size_t i = 0; i < count; i++) differing += r->results[first + i] != r->other_results[first + i];
    if (!differing) return;
    jr_text_append(&r->differences, "%s of %s, type %zu: %zu words\n", row->opcode, row->types, type, differing);
    for (size_t i = 0, shown = 0; i < count && shown < SHOWN; i++) {
        if (r->results[first + i] == r->other_results[first + i]) continue;
        show_word(r, row, type, i);
        shown++;
    }
}

static void show_differences(recorder *r, const form_row *row) {
    if (form_run(&r->other, row, r->other_results) != JR_OK) {
        jr_text_append(&r->differences, "%s of %s: the simulator: %s\n", row->opcode, row->types,
                       jr_last_error()->message);
        return;
    }
    if (row->bound) {
        form_gap gap = form_gap_of(row, r->other_results, r->results);
        jr_text_append(&r->differences, "%s of %s: %g units at most, %zu values beyond the bound\n", row->opcode,
                       row->types, gap.ulps, gap.beyond);
        show_word(r, row, 0, gap.worst);
        return;
    }
    for (size_t type = 0; type < form_type_count(row); type++) show_type(r, row, type);
}

/* ---- recording ---- */

static jr_status record_row(recorder *r, const form_row *row, jr_text *out) {
    jr_status status = form_run(&r->device, row, r->results);
    if (status == JR_OK) {
        form_record_print(row, r->results, out);
        if (r->compares) show_differences(r, row);
        return JR_OK;
    }
    const jr_error *error = jr_last_error();
    fprintf(stderr, "record_forms: %s\n%s\n", error->message, error->log);
    jr_text_append(out, "# refused: %s of %s\n", row->opcode, row->types);
    r->refused++;
    return status == JR_ERROR_DEVICE_FAULT ? status : JR_OK; /* after a fault the device runs nothing more */
}

static bool record_family(recorder *r, const form_family *family) {
    const jr_device_info *info = &r->device.device.info;
    jr_text text = {0};
    jr_status status = JR_OK;
    char name[64];
    snprintf(name, sizeof name, "%s.txt", family->name);
    jr_text_append(&text, "# %s, compute capability %d.%d, driver for CUDA %d.%d\n", info->name, info->capability_major,
                   info->capability_minor, info->driver_version / 1000, info->driver_version % 1000 / 10);
    for (size_t i = 0; status == JR_OK && i < *family->count; i++) status = record_row(r, &family->rows[i], &text);
    bool written = jr_file_write(r->folder, name, jr_text_string(&text), text.length) == JR_OK || fail();
    printf("%s: %zu rows\n", name, *family->count);
    jr_text_free(&text);
    return written && status == JR_OK;
}

static bool record_all(recorder *r) {
    bool good = true;
    for (size_t i = 0; good && i < form_family_count; i++) good = record_family(r, &form_families[i]);
    const char *differences = jr_text_string(&r->differences);
    if (r->compares)
        good &= jr_file_write(r->folder, "differences.txt", differences, strlen(differences)) == JR_OK || fail();
    if (r->refused) fprintf(stderr, "record_forms: %u rows were refused\n", r->refused);
    return good && !r->refused;
}

static bool record(const char *device, const char *folder) {
    recorder r = {.folder = folder};
    bool good = false;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "record_forms: the folder %s cannot be made: %s\n", folder, strerror(errno));
        return false;
    }
    if (form_device_open(device, &r.device) != JR_OK) return fail();
    if (!r.device.device.info.simulated) r.compares = form_device_open("sim", &r.other) == JR_OK || fail();
    r.results = malloc(RESULT_WORDS * sizeof *r.results);
    r.other_results = malloc(RESULT_WORDS * sizeof *r.other_results);
    if (r.results && r.other_results) good = record_all(&r);
    free(r.results);
    free(r.other_results);
    jr_text_free(&r.differences);
    form_device_close(&r.other);
    form_device_close(&r.device);
    return good;
}

int main(int argc, char **argv) {
    const char *device = NULL;
    if (argc == 4 && strcmp(argv[1], "--device") == 0) device = argv[2];
    if (argc != 2 && !device) {
        fprintf(stderr, "usage: record_forms [--device cuda|cuda:N|sim|sim:N] FOLDER\n");
        return 2;
    }
    return record(device, argv[argc - 1]) ? 0 : 1;
}
