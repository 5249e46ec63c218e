/* The table of element types. */
#include "dtype.h"

#include <string.h>

static const jr_dtype rows[] = {
    {JR_I32, "i32", "int", 4, JR_I32, JR_I64, false, true},
    {JR_U32, "u32", "unsigned", 4, JR_U32, JR_U64, false, false},
    {JR_I64, "i64", "long long", 8, JR_I64, JR_I64, false, true},
    {JR_U64, "u64", "unsigned long long", 8, JR_U64, JR_U64, false, false},
    {JR_F32, "f32", "float", 4, JR_F32, JR_F32, true, true},
    {JR_F64, "f64", "double", 8, JR_F64, JR_F64, true, true},
    {JR_I8, "i8", "signed char", 1, JR_I32, JR_I64, false, true},
    {JR_U8, "u8", "unsigned char", 1, JR_U32, JR_U64, false, false},
    {JR_I16, "i16", "short", 2, JR_I32, JR_I64, false, true},
    {JR_U16, "u16", "unsigned short", 2, JR_U32, JR_U64, false, false},
    {JR_F16, "f16", "jr_f16", 2, JR_F32, JR_F32, true, true},
    {JR_BF16, "bf16", "jr_bf16", 2, JR_F32, JR_F32, true, true},
    {JR_BOOL, "bool", "jr_bool", 1, JR_U32, JR_U64, false, false},
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

const jr_dtype *jr_dtype_value(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL ? jr_dtype_find(row->value_type) : NULL;
}
