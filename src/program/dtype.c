/* The table of element types. */
#include "dtype.h"

#include <string.h>

static const jr_dtype rows[] = {
    {JR_I32, "i32", "int", 4, false, true, JR_I64},
    {JR_U32, "u32", "unsigned int", 4, false, false, JR_U64},
    {JR_I64, "i64", "long long", 8, false, true, JR_I64},
    {JR_U64, "u64", "unsigned long long", 8, false, false, JR_U64},
    {JR_F32, "f32", "float", 4, true, true, JR_F32},
    {JR_F64, "f64", "double", 8, true, true, JR_F64},
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* Every type of the public list has a row here. */
#define JR_TYPE_ONE(name, number, text) +1
_Static_assert(ROW_COUNT == 0 JR_TYPES(JR_TYPE_ONE), "a type without a row");
#undef JR_TYPE_ONE

const jr_dtype *jr_dtype_find(jr_type type) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].type == type) return &rows[i];
    return NULL;
}

const jr_dtype *jr_dtype_find_name(const char *name) {
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i].name, name) == 0) return &rows[i];
    return NULL;
}
