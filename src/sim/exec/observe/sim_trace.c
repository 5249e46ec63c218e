/* The trace: an instruction's text, and the registers that it mentions as they are after it. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "observer.h"
#include "sim/ptx/sim_text.h"

enum { LINE_BYTES = 8192 };

typedef struct line {
    char text[LINE_BYTES];
    size_t used;
} line;

__attribute__((format(printf, 2, 3))) static void say(line *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(to->text + to->used, LINE_BYTES - to->used, format, arguments);
    va_end(arguments);
    to->used += length < 0 ? 0 : (size_t)length;
    if (to->used >= LINE_BYTES) to->used = LINE_BYTES - 1;
}

/* A lane's value; of 16 bytes the low half. */
static uint64_t value_of(const uint8_t *lanes, unsigned bytes, unsigned lane) {
    uint64_t value = 0;
    memcpy(&value, lanes + (size_t)lane * bytes, bytes < 8 ? bytes : 8);
    return value;
}

/* "%r1=0x5" when all lanes have one value, else "%r1=[0x1 0x2 ...]"; "%p1=0xffff0000" with a bit a lane. */
static void say_register(line *to, const jrs_frame *frame, const jrs_mention *mention, uint32_t mask) {
    const uint8_t *lanes = frame->registers + mention->slot;
    uint32_t predicate;
    memcpy(&predicate, lanes, sizeof predicate);
    if (mention->bytes == 0) {
        say(to, " %s=0x%08" PRIx32, mention->name, predicate);
        return;
    }
    const uint64_t first = value_of(lanes, mention->bytes, jrs_first(mask));
    bool same = true;
    for (uint32_t rest = mask; rest && same; rest &= rest - 1)
        same = value_of(lanes, mention->bytes, jrs_first(rest)) == first;
    say(to, " %s=%s0x%" PRIx64, mention->name, same ? "" : "[", first);
    for (uint32_t rest = same ? 0 : mask & (mask - 1); rest; rest &= rest - 1)
        say(to, " 0x%" PRIx64, value_of(lanes, mention->bytes, jrs_first(rest)));
    if (!same) say(to, "]");
}

/* An exit or a return may have freed the frame of a called function; a kernel's stays. */
static bool is_there(const jrs_warp *warp, const jrs_frame *frame) {
    if (frame == &warp->kernel_frame) return true;
    for (uint32_t k = 0; k < warp->group_count; k++)
        for (const jrs_frame *at = warp->groups[k].frame; at; at = at->caller)
            if (at == frame) return true;
    return false;
}

/* A statement may be several instructions: all but the last prepare its operands. */
static bool prepares(const jrs_function *function, uint32_t index) {
    const jrs_instruction *code = function->code;
    return index + 1 < function->code_count && code[index].text && code[index + 1].text == code[index].text;
}

static void say_registers(line *to, const jrs_frame *frame, uint32_t index, uint32_t mask) {
    const jrs_function *function = frame->function;
    uint32_t first = index;
    while (first > 0 && prepares(function, first - 1)) first--;
    for (uint32_t m = function->mention_begin[first]; m < function->mention_begin[index + 1]; m++)
        say_register(to, frame, &function->mentions[m], mask);
}

void jrs_trace(const jrs_warp *warp, const jrs_frame *frame, const jrs_instruction *i, uint32_t mask) {
    const jrs_launch *launch = warp->block->run->launch;
    line to = {.used = 0};
    char text[JRS_TEXT_BYTES];
    const bool there = is_there(warp, frame);
    if (there && prepares(frame->function, (uint32_t)(i - frame->function->code))) return;
    jrs_text_collapse(text, i->text ? i->text : "", i->text_bytes);
    say(&to, "%s:%" PRIu64 ":%" PRIu32 " lanes 0x%08" PRIx32 " line %" PRIu32 " %s;", warp->block->run->function->name,
        warp->block->number, warp->number, mask, i->line, text);
    if (there && mask) say_registers(&to, frame, (uint32_t)(i - frame->function->code), mask);
    launch->trace.line(launch->user, to.text);
}
