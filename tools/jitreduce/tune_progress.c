/* The progress of tune: a bar on standard error where that is a terminal, and what failed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tune_result.h"

const char *cli_tune_work_text(const cli_tuning *tuning, char *text) {
    snprintf(text, CLI_WORK_BYTES, "%s%s%s %s", tuning->scan != NULL ? tuning->scan : "",
             tuning->scan != NULL ? " scan " : "", jr_op_name(tuning->op), jr_type_name(tuning->type));
    return text;
}

const char *cli_tune_count_text(uint64_t count, char *text) {
    int power = 0;
    while (count >> power > 1) power++;
    if (count == UINT64_C(1) << power)
        snprintf(text, 24, "2^%d", power);
    else
        snprintf(text, 24, "%llu", (unsigned long long)count);
    return text;
}

/* The signals that end the command are blocked while it tunes: they wait here until the table is printed. */
static bool is_interrupted(void) {
    sigset_t waiting;
    return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1);
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
static void draw(const cli_tune *tune, const jr_tune_progress *progress) {
    enum { WIDTH = 20 };
    static const char full[] = "####################", empty[] = "....................";
    const cli_tuning *tuning = &tune->tunings[tune->count];
    const double share = (tune->count + (double)progress->done / (progress->planned + 1)) / tune->planned;
    const int filled = (int)(share * WIDTH);
    const jr_tune_candidate *best = progress->best;
    char work[CLI_WORK_BYTES], count[24];
    fprintf(stderr, "\r[%.*s%.*s] %3d %%  %s %s: ", filled, full, WIDTH - filled, empty, (int)(share * 100),
            cli_tune_work_text(tuning, work), cli_tune_count_text(tuning->tuned.count, count));
    if (best != NULL)
        fprintf(stderr, "%s, unroll %d, block %d is %.3f times as fast\033[K", jr_algorithm_name(best->algorithm),
                best->unroll, best->block, best->gain);
    else
        fputs("nothing better yet\033[K", stderr);
    fflush(stderr);
}

int cli_tune_progress(void *user, const jr_tune_progress *progress) {
    cli_tune *tune = user;
    if (progress->candidate->failure[0] != '\0' && !keep_failure(&tune->tunings[tune->count], progress->candidate))
        tune->out_of_memory = true;
    if (tune->shows_progress) draw(tune, progress);
    tune->interrupted = is_interrupted();
    return tune->interrupted || tune->out_of_memory;
}

void cli_tune_progress_end(const cli_tune *tune) {
    if (tune->shows_progress) fputs("\r\033[K", stderr);
}
