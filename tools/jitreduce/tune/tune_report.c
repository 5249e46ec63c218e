/* What tune prints: its progress (a bar on standard error if that is a terminal, and the failures), the table and the
 * JSON object. */
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "io/report.h"
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

enum { TUNING_BYTES = 128 };

static const char *print_tuning(const jr_tune_candidate *candidate, char *text) {
    const int used = snprintf(text, TUNING_BYTES, "%s, unroll %d, block %d", jr_algorithm_name(candidate->algorithm),
                              candidate->unroll, candidate->block);
    if (candidate->blocks_per_multiprocessor > 0)
        snprintf(text + used, TUNING_BYTES - (size_t)used, ", %d blocks a multiprocessor",
                 candidate->blocks_per_multiprocessor);
    return text;
}

/* The width of the first column: "exclusive scan count_nonzero bool" is the longest text. */
static int width_of(const cli_tune *tune) {
    return tune->options->scan ? 33 : 20;
}

static void print_row(const cli_tuning *tuning, int width, FILE *out) {
    const jr_tuned *tuned = &tuning->tuned;
    char work[CLI_WORK_BYTES], count[24], text[TUNING_BYTES];
    fprintf(out, "%-*s %12s  %11.3f  %8.3f  %6.3f  %s%s%s\n", width, cli_tune_work_text(tuning, work),
            cli_count_text(tuned->count, count), tuned->estimate.us, tuned->best.us, tuned->best.gain,
            tuned->better ? print_tuning(&tuned->best, text) : "estimate", tuned->complete ? "" : " (not finished)",
            tuning->stored ? "" : ", not stored");
}

static void print_failures(const cli_tune *tune, FILE *out) {
    const char *head = "\nCandidates that failed\n";
    for (int i = 0; i < tune->count; i++) {
        const cli_tuning *tuning = &tune->tunings[i];
        for (int k = 0; k < tuning->failure_count; k++) {
            char work[CLI_WORK_BYTES], count[24], text[TUNING_BYTES];
            fprintf(out, "%s%s %s: %s: %s\n", head, cli_tune_work_text(tuning, work),
                    cli_count_text(tuning->tuned.count, count), print_tuning(&tuning->failures[k], text),
                    tuning->failures[k].failure);
            head = "";
        }
    }
}

void cli_tune_table(const cli_tune *tune, FILE *out) {
    const jr_device_info *device = &tune->device;
    fprintf(out, "device     %s (%s %d.%d)\n", device->name, device->simulated ? "simulated sm" : "sm",
            device->capability_major, device->capability_minor);
    if (tune->wisdom.path[0] != '\0')
        fprintf(out, "stored in  %s\n", tune->wisdom.path);
    else
        fprintf(out, "stored in  no file: it is turned off\n");
    fprintf(out, "measured   device time of a run, medians of what took turns; gain: the estimate's over the best's\n");
    fprintf(out, "\n%-*s %12s  %11s  %8s  %6s  %s\n", width_of(tune), "work", "elements", "estimate us", "best us",
            "gain", "tuning");
    for (int i = 0; i < tune->count; i++) print_row(&tune->tunings[i], width_of(tune), out);
    print_failures(tune, out);
}

static void print_candidate(const jr_tune_candidate *candidate, FILE *out) {
    fprintf(out,
            "{\"algorithm\": \"%s\", \"unroll\": %d, \"block\": %d, \"blocks_per_multiprocessor\": %d, \"grid\": %d",
            jr_algorithm_name(candidate->algorithm), candidate->unroll, candidate->block,
            candidate->blocks_per_multiprocessor, candidate->grid);
    if (candidate->failure[0] == '\0') {
        fprintf(out, ", \"us\": %.3f, \"gain\": %.4f}", candidate->us, candidate->gain);
        return;
    }
    cli_json_text(out, ", \"failure\": ", candidate->failure);
    fputc('}', out);
}

static void print_object(const cli_tuning *tuning, FILE *out) {
    const jr_tuned *tuned = &tuning->tuned;
    fputc('{', out);
    if (tuning->scan != NULL) fprintf(out, "\"scan\": \"%s\", ", tuning->scan);
    fprintf(out, "\"op\": \"%s\", \"type\": \"%s\", \"count\": %llu, \"estimate\": ", jr_op_name(tuning->op),
            jr_type_name(tuning->type), (unsigned long long)tuned->count);
    print_candidate(&tuned->estimate, out);
    fputs(", \"best\": ", out);
    print_candidate(&tuned->best, out);
    fprintf(out, ", \"better\": %s, \"complete\": %s, \"stored\": %s, \"measured\": %d, \"failed\": [",
            tuned->better ? "true" : "false", tuned->complete ? "true" : "false", tuning->stored ? "true" : "false",
            tuned->measured);
    for (int i = 0; i < tuning->failure_count; i++) {
        if (i > 0) fputs(", ", out);
        print_candidate(&tuning->failures[i], out);
    }
    fputs("]}", out);
}

void cli_tune_json(const cli_tune *tune, FILE *out) {
    fputs("{\"device\": {", out);
    cli_json_device(out, &tune->device);
    cli_json_text(out, "}, \"wisdom\": ", tune->wisdom.path);
    fputs(", \"tunings\": [", out);
    for (int i = 0; i < tune->count; i++) {
        if (i > 0) fputs(", ", out);
        print_object(&tune->tunings[i], out);
    }
    cli_json_text(out, "], \"version\": ", jr_version());
    fputs("}\n", out);
}
