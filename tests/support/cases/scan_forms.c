/* Segments of every form that scans of host data take. */
#include "scan_forms.h"

#include <stdlib.h>

static form form_new(jr_segment_kind kind, uint64_t count) {
    form made = {.layout = JR_INIT(jr_segment_layout, .kind = kind), .count = count, .starts = test_zeros(count, 1)};
    made.segments = JR_INIT(jr_work_data, .count = count);
    made.starts[0] = true;
    return made;
}

form rows_new(uint64_t length) {
    form made = form_new(JR_SEGMENTS_EQUAL, SCAN_FORM_COUNT / length * length);
    made.layout.length = length;
    made.segments.segments = SCAN_FORM_COUNT / length;
    for (uint64_t i = 0; i < made.count; i += length) made.starts[i] = true;
    return made;
}

form offsets_new(uint64_t mean, uint64_t empty) {
    form made = form_new(JR_SEGMENTS_OFFSETS, SCAN_FORM_COUNT);
    uint64_t *offsets = test_bytes((SCAN_FORM_COUNT + empty + 3) * sizeof *offsets), s = 0, seed = mean;
    for (uint64_t at = mean / 3; at < SCAN_FORM_COUNT && s < SCAN_FORM_COUNT;
         at += random_bits(&seed) % (2 * mean + 1)) {
        offsets[s++] = at;
        made.starts[at] = true;
        for (; at > SCAN_FORM_COUNT / 2 && empty > 0; empty--) offsets[s++] = at;
    }
    offsets[s] = offsets[s + 1] = SCAN_FORM_COUNT;
    made.segments.segments = s + 1;
    made.segments.offsets = offsets;
    return made;
}

form keys_new(uint64_t mean, jr_type type) {
    form made = form_new(JR_SEGMENTS_KEYS, SCAN_FORM_COUNT);
    const size_t bytes = type == JR_I8 ? 1 : type == JR_I32 ? 4 : 8;
    unsigned char *keys = test_zeros(SCAN_FORM_COUNT, bytes), key = 1;
    uint64_t seed = mean;
    for (uint64_t i = 0; i < SCAN_FORM_COUNT; i++) {
        made.starts[i] = i == 0 || random_bits(&seed) % mean == 0;
        if (made.starts[i]) key ^= 3;
        keys[i * bytes] = key;
    }
    made.layout.key_type = type;
    made.segments.keys = keys;
    return made;
}

int forms_new(form *forms) {
    static const uint64_t lengths[] = {1, 7, 1000, 8192, 60000, SCAN_FORM_COUNT};
    int made = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) forms[made++] = rows_new(lengths[i]);
    /* one giant among tiny ones: of the mean of half of all there are two or three */
    for (uint64_t mean = 1; mean < SCAN_FORM_COUNT; mean *= 270) forms[made++] = offsets_new(mean, 0);
    forms[made++] = offsets_new(40, 3000);
    forms[made++] = offsets_new(SCAN_FORM_COUNT - 5, 2);
    forms[made++] = keys_new(3, JR_I8);
    forms[made++] = keys_new(500, JR_I32);
    forms[made++] = keys_new(40000, JR_F64);
    assert_true(made <= FORMS_MAX);
    return made;
}
