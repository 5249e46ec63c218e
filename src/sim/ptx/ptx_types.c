/* The fundamental types of PTX: look-ups in the list. */
#include "ptx_types.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bytes;
    jrs_kind kind;
} types[] = {
#define ROW(name, bytes, kind) {#name, bytes, JRS_KIND_##kind},
    JRS_TYPES(ROW)
#undef ROW
};

jrs_type jrs_type_find(const char *name) {
    unsigned i = 0;
    while (i < JRS_TYPE_COUNT && (types[i].name[0] != name[0] || strcmp(types[i].name, name) != 0)) i++;
    return (jrs_type)i;
}

const char *jrs_type_name(jrs_type type) {
    return types[type].name;
}

unsigned jrs_type_bytes(jrs_type type) {
    return types[type].bytes;
}

jrs_kind jrs_type_kind(jrs_type type) {
    return types[type].kind;
}

unsigned jrs_type_register_bytes(jrs_type type) {
    return types[type].bytes == 1 ? 2 : types[type].bytes;
}

bool jrs_type_is_integer(jrs_type type) {
    return types[type].kind <= JRS_KIND_SIGNED;
}
