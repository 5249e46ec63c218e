/* Segments of every form that scans of host data take. */
#ifndef TESTS_SUPPORT_SCAN_FORMS_H
#define TESTS_SUPPORT_SCAN_FORMS_H

#include "support/fixtures/open_context.h"

enum { SCAN_FORM_COUNT = 100001, FORMS_MAX = 16 };

/* Segments of SCAN_FORM_COUNT elements at most, in host memory. */
typedef struct form {
    jr_segment_layout layout;
    jr_work_data segments;
    uint64_t count;
    bool *starts; /* of each element: a segment begins */
} form;

/* Rows. Offsets: some segments are empty, the mean length is `mean`; empty: so many more of them stand in the middle.
 * Keys: of type I8, I32 or one of 8 bytes. */
form rows_new(uint64_t length);
form offsets_new(uint64_t mean, uint64_t empty);
form keys_new(uint64_t mean, jr_type type);

/* Some of each; returns how many. */
int forms_new(form *forms);

#endif
