/* The progress of a tuning: a bar on standard error if that is a terminal, and the failures. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "tune_result.h"

const char *cli_tune_work_text(const cli_tuning *tuning, char *text) {
    snprintf(text, CLI_WORK_BYTES, "%s%s%s %s", tuning->scan != NULL ? tuning->scan : "",
             tuning->scan != NULL ? " scan " : "", jr_op_name(tuning->op), jr_type_name(tuning->type));
    return text;
}

static bool keep_failure(cli_tuning *tuning, const jr_tune_candidate *candidate) {
    const size_t count = (size_t)tuning->failure_count;
    jr_tune_candidate *failures = realloc(tuning->failures, (count + 1) * sizeof *failures);
    if (failures == NULL) return false;
    failures[count] = *candidate;
    tuning->failures = failures;
    tuning->failure_count++;
    return true;
}

/* [#####.....]  42 %  sum f32 2^20: two_pass, unroll 4, block 256 is 1.034 times as fast */
static void draw(cli_tune *tune, const jr_tune_progress *progress) {
    const cli_tuning *tuning = &tune->tunings[tune->count];
    const double share = (tune->count + (double)progress->done / (progress->planned + 1)) / tune->planned;
    const jr_tune_candidate *best = progress->best;
    char work[CLI_WORK_BYTES], count[24], text[256];
    const int used = snprintf(text, sizeof text, "%s %s: ", cli_tune_work_text(tuning, work),
                              cli_count_text(tuning->tuned.count, count));
    if (best != NULL)
        snprintf(text + used, sizeof text - (size_t)used, "%s, unroll %d, block %d is %.3f times as fast",
                 jr_algorithm_name(best->algorithm), best->unroll, best->block, best->gain);
    else
        snprintf(text + used, sizeof text - (size_t)used, "nothing better yet");
    cli_progress_show(&tune->progress, share, text);
}

int cli_tune_progress(void *user, const jr_tune_progress *progress) {
    cli_tune *tune = user;
    if (progress->candidate->failure[0] != '\0' && !keep_failure(&tune->tunings[tune->count], progress->candidate))
        tune->out_of_memory = true;
    draw(tune, progress);
    tune->interrupted = cli_interrupt_waits();
    return tune->interrupted || tune->out_of_memory;
}
