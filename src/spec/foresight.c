/* Computes with the ranges of integers what computing with the integers may give. */
#include "foresight.h"

#include <stdio.h>
#include <string.h>

#include "dtype.h"
#include "operator.h"
#include "slips.h"
#include "spec_expressions.h"
#include "value_check.h"

typedef struct foresight {
    const jr_spec *spec;
    bool cuts_meant; /* a type of the caller's spec says that quotients of whole numbers are meant */
    bool known;      /* the ranges of all inputs that are whole numbers */
    unsigned doubts; /* jr_doubt */
    jr_slip cuts;    /* the first quotient that is cut, in `cuts_in`; doubts 0: none */
    jr_spec_text cuts_in;
    char *note;
    size_t bytes;
} foresight;

static bool is_whole(const jr_number *number) {
    return number->kind == JR_KIND_INTEGER;
}

static bool fits(const jr_number *number, jr_type type) {
    const jr_number any = jr_number_of_type(type);
    return !is_whole(number) || !is_whole(&any) || (number->low >= any.low && number->high <= any.high);
}

static jr_whole whole_of(const jr_value *value, jr_whole otherwise) {
    switch (value->type) {
    case JR_I32: return value->as.i32;
    case JR_U32: return value->as.u32;
    case JR_I64: return value->as.i64;
    case JR_U64: return value->as.u64;
    default: return otherwise;
    }
}

static bool wants_note(const foresight *f) {
    return f->note != NULL && *f->note == '\0';
}

/* f->note gets a sentence about a slip; without a slip it stays as it is, and one that it has stays, too. */
static void note_slip(foresight *f, jr_spec_text text, const jr_slip *slip) {
    static const char *const names[] = {[JR_TEXT_COMBINE] = "combine",
                                        [JR_TEXT_IDENTITY] = "identity",
                                        [JR_TEXT_MAP] = "map",
                                        [JR_TEXT_WHERE] = "where",
                                        [JR_TEXT_FINISH] = "finish"};
    char reason[320];
    if (slip->doubts == 0 || !wants_note(f)) return;
    jr_slip_explain(slip, jr_spec_expression(f->spec, text), reason, sizeof reason);
    snprintf(f->note, f->bytes, "%s: %s", names[text], reason);
}

/* Limits a range to -1, 0 and 1: what these make too large, the elements of every array may. */
static jr_number small_number(jr_number number) {
    if (!is_whole(&number)) return number;
    number.high = number.high < 1 ? number.high : 1;
    number.low = number.low > -1 ? number.low : -1;
    if (number.low > number.high) number.low = number.high;
    return number;
}

/* Notes an operator whose value does not fit its type although the elements are small, by the expression's constants,
 * its parameters, the index or the count. numbers: of the expression, of which the first `elements` are elements. */
static void note_wrapping(foresight *f, jr_spec_text text, const jr_number *numbers, int elements) {
    jr_number small[JR_INPUTS_MAX + 1];
    jr_value_doubts doubts;
    if (jr_spec_expression(f->spec, text) == NULL || !wants_note(f)) return;
    (void)jr_spec_expressions_value(f->spec, text, numbers, &doubts);
    if (doubts.wraps.doubts == 0) return;
    for (int i = 0; i < elements; i++) small[i] = small_number(numbers[i]);
    small[elements] = numbers[elements];
    (void)jr_spec_expressions_value(f->spec, text, small, &doubts);
    note_slip(f, text, &doubts.wraps);
}

/* The value of an expression, whose doubts are added to f's; without that expression in the spec, its first operand.
 * f->note gets the first sentence about what may not be meant. */
static jr_number evaluate(foresight *f, jr_spec_text text, const jr_number *numbers) {
    jr_value_doubts doubts;
    if (jr_spec_expression(f->spec, text) == NULL) return numbers[0];
    const jr_number value = jr_spec_expressions_value(f->spec, text, numbers, &doubts);
    f->doubts |= doubts.all;
    note_slip(f, text, &doubts.note);
    if (f->cuts.doubts == 0) {
        f->cuts = doubts.cuts;
        f->cuts_in = text;
    }
    const bool all_come = f->known && (f->spec->where == NULL || text != JR_TEXT_MAP);
    if (all_come && (doubts.wraps.doubts & JR_DOUBT_FAR)) note_slip(f, text, &doubts.wraps);
    return value;
}

/* ---- operators ---- */

/* Ranges are limited to this: no type of 64 bits holds it, and sums of two such numbers fit a jr_whole. */
static const jr_whole beyond = (jr_whole)1 << 100;

static jr_whole limit(jr_whole number) {
    return number > beyond ? beyond : number < -beyond ? -beyond : number;
}

static jr_whole times(jr_whole number, uint64_t count) {
    jr_whole product;
    if (__builtin_mul_overflow(number, (jr_whole)count, &product)) return number < 0 ? -beyond : beyond;
    return limit(product);
}

/* magnitude to the power of count, at most about `beyond`. */
static jr_whole power(jr_whole magnitude, uint64_t count) {
    jr_whole product = 1;
    if (magnitude <= 1) return 1;
    for (uint64_t i = 0; i < count && product < beyond; i++) product = times(product, (uint64_t)magnitude);
    return product;
}

/* Grows a range by the initial value. */
static void add_initial(const jr_spec *spec, jr_op op, jr_number *number) {
    if (spec->initial == NULL) return;
    const jr_whole initial = whole_of(spec->initial, 0), size = initial < 0 ? -initial : initial;
    if (op == JR_OP_SUM) {
        number->low = limit(number->low + initial);
        number->high = limit(number->high + initial);
    } else if (op == JR_OP_PROD) {
        const jr_whole most = number->high > -number->low ? number->high : -number->low;
        number->high = size > 0 && most > beyond / size ? beyond : most * size;
        number->low = -number->high;
    } else {
        number->low = number->low < initial ? number->low : initial;
        number->high = number->high > initial ? number->high : initial;
    }
}

/* The range of the result of sum, prod, min or max before it is converted to the result's type. */
static jr_number combined(const jr_spec *spec, jr_op op, jr_number element, uint64_t count) {
    jr_number made = element;
    switch (op) {
    case JR_OP_SUM:
        made.low = element.low < 0 ? times(element.low, count) : element.low; /* at least one element is kept */
        made.high = element.high > 0 ? times(element.high, count) : element.high;
        break;
    case JR_OP_PROD:
        made.high = power(element.high > -element.low ? element.high : -element.low, count);
        made.low = -made.high;
        break;
    default: break;
    }
    add_initial(spec, op, &made);
    return made;
}

static bool keeps_range(jr_op op) {
    return op == JR_OP_SUM || op == JR_OP_PROD || op == JR_OP_MIN || op == JR_OP_MAX;
}

/* What one operator and `finish` make of the elements that the operator is given. before: the type of the result
 * before finish. */
static void foresee_result(foresight *f, jr_op op, const jr_number *element, jr_type before, uint64_t count) {
    jr_number made = jr_number_of_type(before), counted = jr_number_of_type(JR_I64);
    const bool whole = is_whole(element) && is_whole(&made);
    if (whole && op == JR_OP_CUSTOM) {
        const jr_number pair[] = {made, made, made};
        (void)evaluate(f, JR_TEXT_COMBINE, pair);
        note_wrapping(f, JR_TEXT_COMBINE, pair, 2);
        const bool ends_come = f->known && f->spec->map == NULL && f->spec->where == NULL && count > 0;
        if (ends_come && wants_note(f)) jr_identity_note(f->spec, element, before, f->note, f->bytes);
    } else if (whole && keeps_range(op)) {
        const jr_number exact = combined(f->spec, op, *element, count);
        if (!fits(&exact, before)) f->doubts |= JR_DOUBT_WRAPS;
        made = jr_number_cast(&made, &exact);
    }
    counted.low = count > 0 ? 1 : 0;
    counted.high = count;
    const jr_number result[] = {made, counted};
    if (f->spec->finish != NULL) (void)evaluate(f, JR_TEXT_FINISH, result);
    note_wrapping(f, JR_TEXT_FINISH, result, 1);
}

/* ---- */

static bool is_range(const jr_value *bounds) {
    return bounds->type == JR_I32 || bounds->type == JR_U32 || bounds->type == JR_I64 || bounds->type == JR_U64;
}

static bool knows_ranges(const jr_reduction *reduction, const jr_value *ranges) {
    bool known = ranges != NULL;
    for (int i = 0; known && i < reduction->input_count; i++) {
        const jr_number any = jr_number_of_type(reduction->inputs[i].type);
        known = !is_whole(&any) || is_range(&ranges[2 * i]);
    }
    return known;
}

static jr_number number_of_input(const jr_reduction *reduction, int input, const jr_value *ranges) {
    jr_number number = jr_number_of_type(reduction->inputs[input].type);
    if (ranges == NULL || !is_whole(&number)) return number;
    number.low = whole_of(&ranges[2 * input], number.low);
    number.high = whole_of(&ranges[2 * input + 1], number.high);
    return number;
}

/* A number of `value`, what map makes of small elements, that the type of its values does not hold. */
static void note_number(foresight *f, const jr_number *value, jr_type mapped) {
    const jr_number any = jr_number_of_type(mapped);
    const jr_whole number = value->high > any.high ? value->high : value->low;
    const unsigned long long size = (unsigned long long)(number < 0 ? -number : number);
    snprintf(f->note, f->bytes,
             "map: its values are %s, as the elements, and wrap: %s%llu does not fit; a map type of %s holds it",
             jr_dtype_find(mapped)->name, number < 0 ? "-" : "", size, number == (int64_t)number ? "i64" : "f64");
}

/* Another input may have a wider type than x. */
static void note_input(foresight *f, int input, jr_type type, jr_type mapped) {
    snprintf(f->note, f->bytes,
             "map: its values are %s, as the elements of x, and wrap: %c is %s; write (double) before it, or take a "
             "map type "
             "of i64 or f64",
             jr_dtype_find(mapped)->name, "xyzw"[input], jr_dtype_find(type) -> name);
}

/* map wraps for some elements. Notes where the type of its values, which is that of the elements, does not hold what it
 * makes of small elements, by its constants, its parameters or the index, or of another input. */
static void note_narrow_map(foresight *f, const jr_reduction *reduction, const jr_number *numbers, jr_type mapped) {
    jr_number small[JR_INPUTS_MAX + 1];
    jr_value_doubts doubts;
    for (int i = 0; i < JR_INPUTS_MAX; i++) small[i] = small_number(numbers[i]);
    small[JR_INPUTS_MAX] = numbers[JR_INPUTS_MAX];
    const jr_number value = jr_spec_expressions_value(f->spec, JR_TEXT_MAP, small, &doubts);
    if (!fits(&value, mapped)) note_number(f, &value, mapped);
    for (int i = 1; i < reduction->input_count && *f->note == '\0'; i++) {
        if (fits(&numbers[i], mapped)) continue;
        small[i] = numbers[i];
        const jr_number wider = jr_spec_expressions_value(f->spec, JR_TEXT_MAP, small, &doubts);
        if (!fits(&wider, mapped) || (doubts.all & JR_DOUBT_WRAPS)) note_input(f, i, reduction->inputs[i].type, mapped);
    }
}

/* Notes the first quotient that is cut, if nothing else is noted, and how a caller says that it is meant. Returns
 * JR_NOTES_CUT, or 0. */
static unsigned note_cut(foresight *f) {
    if (f->cuts.doubts == 0 || f->cuts_meant || !wants_note(f)) return 0;
    f->cuts.doubts = JR_DOUBT_CUTS;
    note_slip(f, f->cuts_in, &f->cuts);
    const size_t used = strlen(f->note);
    const bool maps = f->cuts_in == JR_TEXT_MAP, finishes = f->cuts_in == JR_TEXT_FINISH;
    if (maps || finishes)
        snprintf(f->note + used, f->bytes - used, "; %s of i64 says that it is meant",
                 maps ? "a map type" : "a result");
    return JR_NOTES_CUT;
}

static bool is_whole_type(jr_type type) {
    const jr_dtype *row = jr_dtype_find(type);
    return row != NULL && !jr_dtype_is_float(row);
}

static unsigned flags_of(unsigned doubts) {
    return (doubts & JR_DOUBT_WRAPS ? JR_MAY_WRAP : 0u) | (doubts & (JR_DOUBT_CUTS | JR_DOUBT_CUT) ? JR_MAY_CUT : 0u) |
           (doubts & JR_DOUBT_BY_ZERO ? JR_MAY_DIVIDE_BY_ZERO : 0u);
}

unsigned jr_foresee(const jr_reduction *reduction, const jr_spec *given, const jr_value *ranges, uint64_t count,
                    char *note, size_t bytes) {
    const jr_spec *spec = &reduction->spec;
    foresight f = {.spec = spec, .known = knows_ranges(reduction, ranges), .note = note, .bytes = bytes};
    f.cuts_meant = is_whole_type(given->map_type) || is_whole_type(given->accumulate) || is_whole_type(given->result);
    jr_number numbers[JR_INPUTS_MAX + 1];
    if (note != NULL) *note = '\0';
    for (int i = 0; i < JR_INPUTS_MAX; i++)
        numbers[i] =
            i < reduction->input_count ? number_of_input(reduction, i, ranges) : jr_number_of_kind(JR_KIND_UNKNOWN);
    numbers[JR_INPUTS_MAX] = jr_number_of_type(JR_I64); /* i */
    numbers[JR_INPUTS_MAX].low = 0;
    numbers[JR_INPUTS_MAX].high = count > 0 ? count - 1 : 0;
    const jr_number value = evaluate(&f, JR_TEXT_MAP, numbers);
    const jr_type mapped = spec->map_type != JR_TYPE_NONE ? spec->map_type : spec->type;
    jr_number element = jr_number_of_type(mapped);
    if (!fits(&value, mapped)) f.doubts |= JR_DOUBT_WRAPS;
    element = is_whole(&value) ? jr_number_cast(&element, &value) : element;
    const bool wraps = (f.doubts & JR_DOUBT_WRAPS) != 0 && given->map_type == JR_TYPE_NONE;
    if (spec->where != NULL) (void)evaluate(&f, JR_TEXT_WHERE, numbers);
    if (wraps && spec->map != NULL && note != NULL && *note == '\0' && is_whole(&value))
        note_narrow_map(&f, reduction, numbers, mapped);
    note_wrapping(&f, JR_TEXT_MAP, numbers, JR_INPUTS_MAX);
    note_wrapping(&f, JR_TEXT_WHERE, numbers, JR_INPUTS_MAX);
    for (int i = 0; i < (spec->op_count > 0 ? spec->op_count : 1); i++)
        foresee_result(&f, spec->op_count > 0 ? spec->ops[i] : spec->op, &element, reduction->before[i], count);
    return flags_of(f.doubts) | note_cut(&f);
}
