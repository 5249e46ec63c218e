/* All families of forms. */
#include "ptx_forms.h"

const form_family form_families[] = {
#define ROW(name) {#name, form_##name, &form_##name##_count},
    FORM_FAMILIES(ROW)
#undef ROW
};
const size_t form_family_count = sizeof form_families / sizeof *form_families;
