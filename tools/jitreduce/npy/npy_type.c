/* Types as .npy files name them. */
#include "npy_type.h"

#include <string.h>

char cli_npy_kind(jr_type type) {
    switch (jr_type_class_of(type)) {
    case JR_CLASS_SIGNED: return 'i';
    case JR_CLASS_UNSIGNED: return 'u';
    case JR_CLASS_BOOLEAN: return 'b';
    case JR_CLASS_FLOAT: return type == JR_F16 || type == JR_F32 || type == JR_F64 ? 'f' : '\0';
    case JR_CLASS_NONE: break;
    }
    return '\0';
}

static jr_type find_sized(char kind, size_t size) {
#define TYPE_MATCH(name, number, text)                                                                                 \
    if (cli_npy_kind(JR_##name) == kind && jr_type_size(JR_##name) == size) return JR_##name;
    JR_TYPES(TYPE_MATCH)
#undef TYPE_MATCH
    return JR_TYPE_NONE;
}

bool cli_npy_is_unnamed(const char *begin, const char *end) {
    return end - begin == 3 && strchr("<=|", begin[0]) != NULL &&
           (memcmp(begin + 1, "V1", 2) == 0 || memcmp(begin + 1, "V2", 2) == 0 || memcmp(begin + 1, "f1", 2) == 0);
}

jr_type cli_npy_find_type(const char *begin, const char *end, bool *swapped) {
    jr_type type = JR_TYPE_NONE;
    if (end - begin == 3 && strchr("<>=|", begin[0]) != NULL && begin[2] >= '1' && begin[2] <= '8')
        type = find_sized(begin[1], (size_t)(begin[2] - '0'));
    if (type == JR_TYPE_NONE && end - begin == 3 && cli_npy_is_unnamed(begin, end))
        type = begin[2] == '2' ? JR_BF16 : begin[1] == 'f' ? JR_E5M2 : JR_E4M3;
    *swapped = jr_type_size(type) > 1 && begin[0] == (cli_little_endian() ? '>' : '<');
    return type;
}
