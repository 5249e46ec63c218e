/* Reports: what went wrong, where in the PTX, in which thread. The first one of a launch stays. */
#include <stdarg.h>
#include <stdio.h>

#include "fault.h"
#include "sim/ptx/ptx_source.h"
#include "sim/ptx/sim_text.h"

void jrs_thread_index(const jrs_warp *warp, unsigned lane, uint32_t index[3]) {
    const unsigned *block = warp->block->run->launch->block;
    const uint32_t thread = warp->number * JRS_LANES + lane;
    if (thread < block[0]) { /* always so in a block of one row, as most are: nothing is to be divided */
        index[0] = thread;
        index[1] = index[2] = 0;
        return;
    }
    index[0] = thread % block[0];
    index[1] = thread / block[0] % block[1];
    index[2] = thread / block[0] / block[1];
}

static void keep(jrs_run *run, int error, const char *message) {
    pthread_mutex_lock(&run->mutex);
    if (!run->failed) {
        run->failed = true;
        run->report->error = error;
        snprintf(run->report->message, JRS_MESSAGE_BYTES, "%s", message);
    }
    pthread_mutex_unlock(&run->mutex);
    atomic_store(&run->stopped, true);
}

/* ALWAYS: ends the launch, since the simulator cannot continue. JUDGED: the hardware would continue; ends the launch if
 * the judge is strict. NOTED: the manuals allow it; it is only noted. */
typedef enum level { ALWAYS, JUDGED, NOTED } level;

static const struct {
    int error;
    level level;
    const char *words;
} faults[] = {
#define ROW(id, error, level, words) {error, level, words},
    JRS_FAULTS(ROW)
#undef ROW
};

static bool lets_continue(const jrs_run *run, jrs_fault_kind kind) {
    return faults[kind].level == NOTED || (faults[kind].level == JUDGED && run->launch->judge != JRS_JUDGE_STRICT);
}

/* True if a note is wanted and this is the first one on the instruction. */
static bool is_first_note(jrs_run *run, const jrs_instruction *instruction) {
    if (!run->launch->note || run->launch->judge == JRS_JUDGE_OFF) return false;
    pthread_mutex_lock(&run->mutex);
    bool news = run->note_count < JRS_NOTES;
    for (uint32_t k = 0; k < run->note_count && news; k++) news = run->noted[k] != instruction;
    if (news) run->noted[run->note_count++] = instruction;
    pthread_mutex_unlock(&run->mutex);
    return news;
}

jrs_next jrs_fault(const jrs_warp *warp, const jrs_instruction *instruction, unsigned lane, jrs_fault_kind kind,
                   const char *format, ...) {
    char text[JRS_TEXT_BYTES], details[1024], message[JRS_MESSAGE_BYTES], source[JRS_SOURCE_BYTES];
    const jrs_block *block = warp->block;
    const char *inside = warp->group && !warp->group->frame->function->entry ? warp->group->frame->function->name : "";
    uint32_t thread[3];
    va_list arguments;
    if (lets_continue(block->run, kind) && !is_first_note(block->run, instruction)) return JRS_STEP;
    va_start(arguments, format);
    vsnprintf(details, sizeof details, format, arguments);
    va_end(arguments);
    jrs_thread_index(warp, lane, thread);
    jrs_text_collapse(text, instruction->text ? instruction->text : "", instruction->text_bytes);
    snprintf(message, sizeof message, "%s: kernel %.200s%s%.200s, %s '%s', block (%u,%u,%u), thread (%u,%u,%u)%s%s",
             faults[kind].words, block->run->function->name, *inside ? " in " : "", inside,
             jrs_source_line(block->run->function->module, instruction->line, source), text, block->index[0],
             block->index[1], block->index[2], thread[0], thread[1], thread[2], *details ? ", " : "", details);
    if (lets_continue(block->run, kind)) {
        block->run->launch->note(block->run->launch->user, message);
        return JRS_STEP;
    }
    keep(block->run, faults[kind].error, message);
    return JRS_FAULT;
}

void jrs_fault_launch(jrs_run *run, int error, const char *format, ...) {
    char message[JRS_MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    keep(run, error, message);
}
