/* The meaning of a record's bytes: PTX marks floats, and gives only the size of all other types. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "io/report.h"
#include "trace.h"

static jr_type plain_of(const char *ptx) {
    static const struct {
        const char *ptx;
        jr_type type;
    } rows[] = {{"f16", JR_F16}, {"f32", JR_F32}, {"f64", JR_F64}, {"bf16", JR_BF16}, {"s8", JR_I8},   {"s16", JR_I16},
                {"s32", JR_I32}, {"s64", JR_I64}, {"u8", JR_U8},   {"u16", JR_U16},   {"u32", JR_U32}, {"u64", JR_U64}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].ptx, ptx) == 0) return rows[i].type;
    return JR_TYPE_NONE;
}

static bool fits(jr_type type, unsigned bytes) {
    return type != JR_TYPE_NONE && type != JR_STRUCT && jr_type_size(type) == bytes;
}

/* Input comes from global memory, results go there, everything else is accumulators. */
static jr_type type_of(const cli_trace *trace, const cli_trace_event *event) {
    const bool input = event->global && event->kind == CLI_TRACE_LOAD;
    const bool output = event->global && event->kind != CLI_TRACE_LOAD;
    const jr_type said = plain_of(event->type);
    if (input && fits(trace->element, event->bytes)) return trace->element;
    if (output && fits(trace->result, event->bytes)) return trace->result;
    if (fits(trace->accumulator, event->bytes)) return trace->accumulator;
    return fits(said, event->bytes) ? said : JR_TYPE_NONE;
}

const char *cli_trace_value(const cli_trace *trace, const cli_trace_event *event, uint64_t bits,
                            char text[CLI_TRACE_VALUE_BYTES]) {
    jr_value value = {.type = type_of(trace, event)};
    char whole[CLI_VALUE_BYTES];
    if (value.type == JR_TYPE_NONE) {
        snprintf(text, CLI_TRACE_VALUE_BYTES, "0x%" PRIx64, bits);
        return text;
    }
    memcpy(&value.as, &bits, jr_type_size(value.type));
    snprintf(text, CLI_TRACE_VALUE_BYTES, "%s", cli_value_text(&value, NULL, whole));
    return text;
}

unsigned cli_trace_joined(const cli_trace *trace) {
    return fits(trace->accumulator, 8) ? 8 : 0;
}
