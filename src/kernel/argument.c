/* Converts an argument to what a kernel's parameter is, as a call in C would, and refuses what would be another value.
 */
#include "argument.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_mode.h"
#include "spec/dtype.h"

enum { NAME_BYTES = 256 };

/* "geometry::scale" of "_ZN8geometry5scaleIfEEvPT_": a mangled name begins with one name after its length, or, after N,
 * with several. Source: Itanium C++ ABI, "Mangling". */
static const char *plain_name(const char *name, char *text, size_t bytes) {
    const bool nested = strncmp(name, "_ZN", 3) == 0;
    size_t at = 0, length = 0;
    if (strncmp(name, "_Z", 2) != 0) return name;
    for (const char *part = name + 2 + nested; isdigit((unsigned char)*part); part += length) {
        char *begin;
        length = (size_t)strtoul(part, &begin, 10);
        part = begin;
        if (length > strlen(part) || at + length + 3 > bytes) return name;
        at += (size_t)snprintf(text + at, bytes - at, "%s%.*s", at > 0 ? "::" : "", (int)length, part);
        if (!nested) break;
    }
    return at > 0 ? text : name;
}

/* What a parameter takes. */
typedef enum taken { INTEGER, FLOAT, BITS } taken;

/* "f32" of 4 bytes: the digits are the bits. A launch asks this of each parameter. */
static bool is_scalar(const jr_kernel_parameter *parameter) {
    size_t bits = 0;
    const char *digit = parameter->type[0] != '\0' ? parameter->type + 1 : parameter->type;
    for (; isdigit((unsigned char)*digit); digit++) bits = 10 * bits + (size_t)(*digit - '0');
    return bits > 0 && *digit == '\0' && bits == 8 * parameter->bytes;
}

/* Numbers of 128 bits are structs of bytes to the compiler, and so here. */
static taken taken_by(const jr_kernel_parameter *parameter) {
    if (!is_scalar(parameter) || parameter->bytes > 8 || parameter->type[0] == 'b') return BITS;
    return parameter->type[0] == 'f' ? FLOAT : INTEGER;
}

/* "an integer of 32 bits", "f32", "16 bytes, a struct or an array" */
static void describe(const jr_kernel_parameter *parameter, char *text, size_t bytes) {
    const taken kind = taken_by(parameter);
    if (kind == INTEGER)
        snprintf(text, bytes, "an integer of %zu bits%s", 8 * parameter->bytes,
                 parameter->bytes == sizeof(void *) ? ", or a pointer" : "");
    else if (kind == FLOAT)
        snprintf(text, bytes, "%s, a float", parameter->type);
    else if (is_scalar(parameter) || parameter->type[0] == '\0')
        snprintf(text, bytes, "%zu bytes, which may be an integer or a float: the type is unknown", parameter->bytes);
    else
        snprintf(text, bytes, "%zu bytes, a struct or an array", parameter->bytes);
}

/* The number as text, with its type where it has one. */
static void print(const jr_argument *argument, char *text, size_t bytes) {
    const jr_dtype *row = jr_dtype_find(argument->type);
    if (argument->kind == JR_ARGUMENT_POINTER)
        snprintf(text, bytes, "a pointer");
    else if (argument->kind == JR_ARGUMENT_BYTES)
        snprintf(text, bytes, "a struct of %zu byte%s", argument->count, argument->count == 1 ? "" : "s");
    else if (jr_dtype_is_float(row))
        snprintf(text, bytes, "%.9g", jr_dtype_read_float(row, argument->bytes));
    else if (jr_dtype_is_signed(row))
        snprintf(text, bytes, "%lld", (long long)jr_dtype_read_integer(row, argument->bytes));
    else
        snprintf(text, bytes, "%llu", (unsigned long long)jr_dtype_read_integer(row, argument->bytes));
    const size_t length = strlen(text);
    if (argument->kind == JR_ARGUMENT_NUMBER)
        snprintf(text + length, bytes - length, " (%s)", row->name);
    else if (argument->kind == JR_ARGUMENT_LITERAL && jr_dtype_is_float(row) && strpbrk(text, ".en") == NULL)
        snprintf(text + length, bytes - length, ".0");
}

/* One parameter that is to be filled. */
typedef struct place {
    const jr_kernel *kernel;
    size_t index;
    const jr_kernel_parameter *parameter;
    const jr_argument *argument;
} place;

static jr_status refuse(const place *at, jr_status status, const char *advice) {
    char given[64], wanted[128], name[NAME_BYTES];
    jr_float_mode mode;
    jr_float_mode_enter(&mode);
    print(at->argument, given, sizeof given);
    jr_float_mode_leave(&mode);
    describe(at->parameter, wanted, sizeof wanted);
    return jr_fail(status, "argument %zu of %s is %s: the parameter is %s%s", at->index + 1,
                   plain_name(at->kernel->name, name, sizeof name), given, wanted, advice);
}

static bool is_negative(const jr_dtype *row, uint64_t integer) {
    return row->class == JR_CLASS_SIGNED && (int64_t)integer < 0;
}

/* A u32 takes what fits an int or an unsigned, since PTX does not distinguish the two. */
static bool fits(const jr_kernel_parameter *parameter, bool negative, uint64_t integer) {
    const int bits = 8 * (int)parameter->bytes;
    const uint64_t half = UINT64_C(1) << (bits - 1);
    if (negative) return -integer <= half;
    return parameter->type[0] == 's' ? integer < half : (integer >> (bits - 1)) <= 1;
}

static jr_status fill_integer(const place *at, const jr_dtype *row, void *to) {
    if (jr_dtype_is_float(row))
        return refuse(at, JR_ERROR_UNSUPPORTED_TYPE, "; a float is not converted to an integer by itself");
    const uint64_t integer = jr_dtype_read_integer(row, at->argument->bytes);
    if (!fits(at->parameter, is_negative(row, integer), integer))
        return refuse(at, JR_ERROR_INVALID_ARGUMENT, ", which does not hold it");
    memcpy(to, &integer, at->parameter->bytes);
    return JR_OK;
}

/* The nearest float of another type. An integer is rounded once, by the mode of conversions that C has. False: it is
 * finite, and the parameter's type has no such number. */
static bool write_float(const jr_dtype *wanted, const jr_dtype *row, const void *from, void *to) {
    const bool is_float = jr_dtype_is_float(row);
    const uint64_t integer = is_float ? 0 : jr_dtype_read_integer(row, from);
    const bool negative = !is_float && is_negative(row, integer);
    const double number = is_float   ? jr_dtype_read_float(row, from)
                          : negative ? (double)(int64_t)integer
                                     : (double)integer;
    const float rounded = negative ? (float)(int64_t)integer : (float)integer;
    if (wanted->type == JR_F32 && !is_float)
        memcpy(to, &rounded, sizeof rounded);
    else
        jr_dtype_write(wanted, number, to);
    return !isfinite(number) || !isinf(jr_dtype_read_float(wanted, to));
}

/* Setting the floating-point mode takes most of a launch's conversion: a float of the parameter's own type goes
 * without. */
static jr_status fill_float(const place *at, const jr_dtype *row, void *to) {
    const void *from = at->argument->bytes;
    const jr_type type = at->parameter->bytes == 2 ? JR_F16 : at->parameter->bytes == 4 ? JR_F32 : JR_F64;
    if (type == row->type) {
        memcpy(to, from, at->parameter->bytes);
        return JR_OK;
    }
    jr_float_mode mode;
    jr_float_mode_enter(&mode);
    const bool holds = write_float(jr_dtype_find(type), row, from, to);
    jr_float_mode_leave(&mode);
    return holds ? JR_OK : refuse(at, JR_ERROR_INVALID_ARGUMENT, ", which does not hold it");
}

static jr_status fill_number(const place *at, void *to) {
    const jr_dtype *row = jr_dtype_find(at->argument->type);
    if (row == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "argument %zu of %s is a number of the unknown type %d",
                       at->index + 1, at->kernel->name, (int)at->argument->type);
    const taken kind = taken_by(at->parameter);
    if (kind == INTEGER) return fill_integer(at, row, to);
    if (kind == FLOAT) return fill_float(at, row, to);
    if (at->argument->kind == JR_ARGUMENT_LITERAL || row->bytes != at->parameter->bytes)
        return refuse(at, JR_ERROR_UNSUPPORTED_TYPE, "; give a number that has a type of this size, or a struct");
    memcpy(to, at->argument->bytes, row->bytes);
    return JR_OK;
}

static jr_status fill_pointer(const place *at, void *to) {
    if (taken_by(at->parameter) == FLOAT || at->parameter->bytes != sizeof(void *))
        return refuse(at, JR_ERROR_UNSUPPORTED_TYPE, "");
    memcpy(to, at->argument->bytes, sizeof(void *));
    return JR_OK;
}

static jr_status fill_bytes(const place *at, void *to) {
    if (at->argument->count != at->parameter->bytes)
        return refuse(at, JR_ERROR_INVALID_ARGUMENT, "; both need the same size, with the padding of C");
    memcpy(to, at->argument->bytes, at->argument->count);
    return JR_OK;
}

jr_status jr_argument_fill(const jr_kernel *kernel, size_t index, const jr_argument *argument, void *to) {
    const place at = {kernel, index, &kernel->parameters.list[index], argument};
    if (argument->bytes == NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT, "argument %zu of %s has no bytes: they are NULL", index + 1,
                       kernel->name);
    switch (argument->kind) {
    case JR_ARGUMENT_POINTER: return fill_pointer(&at, to);
    case JR_ARGUMENT_NUMBER:
    case JR_ARGUMENT_LITERAL: return fill_number(&at, to);
    case JR_ARGUMENT_BYTES: return fill_bytes(&at, to);
    }
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "argument %zu of %s is of the unknown kind %d", index + 1, kernel->name,
                   (int)argument->kind);
}

jr_status jr_argument_fail_count(const jr_kernel *kernel, size_t count) {
    const size_t wanted = (size_t)kernel->parameters.count;
    char next[128] = "", name[NAME_BYTES];
    if (count < wanted) describe(&kernel->parameters.list[count], next, sizeof next);
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "the kernel %s has %zu parameter%s, and %zu argument%s given%s%s",
                   plain_name(kernel->name, name, sizeof name), wanted, wanted == 1 ? "" : "s", count,
                   count == 1 ? " was" : "s were", count < wanted ? ": the next parameter is " : "", next);
}
