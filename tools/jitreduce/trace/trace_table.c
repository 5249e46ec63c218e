/* Rounds as tables: thread, index, active, values. Neighbours that do the same to neighbouring places with one value
 * share a line. */
#include <inttypes.h>
#include <string.h>

#include "io/report.h"
#include "trace.h"

enum { THREADS_MAX = 1024, PLACE_BYTES = 48, VALUES_BYTES = 400, LIST_WIDTH = 96, HELD_SHOWN = 40 };

/* ---- lists of threads ---- */

/* Prints the threads of a set as "1 3 5 7-31", cut where the line would be long. */
static void print_threads(FILE *out, const bool *in, unsigned count) {
    int used = 0;
    for (unsigned first = 0; first < count; first++) {
        unsigned last = first;
        if (!in[first]) continue;
        while (last + 1 < count && in[last + 1]) last++;
        if (used > LIST_WIDTH) {
            fputs(" ...", out);
            return;
        }
        used += last > first ? fprintf(out, " %u-%u", first, last) : fprintf(out, " %u", first);
        first = last;
    }
}

/* ---- one line ---- */

static uint64_t index_of(const cli_trace_event *event) {
    return event->bytes > 0 ? event->offset / event->bytes : event->offset;
}

static const char *room_of(const cli_trace_event *event) {
    return event->global ? "global" : "shared";
}

/* "shared[3]", "shared[8-31]"; of an exchange "shuffle". */
static const char *place_of(const cli_trace_step *first, const cli_trace_step *last, char text[PLACE_BYTES]) {
    const cli_trace_event *event = &first->given;
    if (first->exchanged) return event->kind == CLI_TRACE_SHUFFLE ? "shuffle" : "redux";
    if (first == last || index_of(&last->given) == index_of(event))
        snprintf(text, PLACE_BYTES, "%s[%" PRIu64 "]", room_of(event), index_of(event));
    else
        snprintf(text, PLACE_BYTES, "%s[%" PRIu64 "-%" PRIu64 "]", room_of(event), index_of(event),
                 index_of(&last->given));
    return text;
}

/* "1 5 -> 6": what was loaded, and what was given; of an exchange "6, got 14". */
static void values_of(const cli_trace *trace, const cli_trace_step *step, char text[VALUES_BYTES]) {
    char value[CLI_TRACE_VALUE_BYTES];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < step->load_count && i < CLI_TRACE_LOADS; i++)
        used += (size_t)snprintf(text + used, VALUES_BYTES - used, "%s ",
                                 cli_trace_value(trace, &step->loads[i], step->loads[i].bits, value));
    if (step->load_count > CLI_TRACE_LOADS)
        used += (size_t)snprintf(text + used, VALUES_BYTES - used, "... (%zu loads) ", step->load_count);
    if (step->load_count > 0) used += (size_t)snprintf(text + used, VALUES_BYTES - used, "-> ");
    used += (size_t)snprintf(text + used, VALUES_BYTES - used, "%s%s",
                             step->given.kind == CLI_TRACE_ATOMIC ? "atomic " : "",
                             cli_trace_value(trace, &step->given, step->given.bits, value));
    if (step->exchanged)
        snprintf(text + used, VALUES_BYTES - used, ", got %s",
                 cli_trace_value(trace, &step->given, step->given.got, value));
}

/* Whether the next thread did the same to the same or the next place. */
static bool continues(const cli_trace *trace, const cli_trace_step *one, const cli_trace_step *next) {
    char first[VALUES_BYTES], second[VALUES_BYTES];
    if (next->round != one->round || next->thread != one->thread + 1 || next->given.kind != one->given.kind ||
        next->given.global != one->given.global || next->given.range != one->given.range)
        return false;
    if (!one->exchanged && index_of(&next->given) != index_of(&one->given) + 1) return false;
    values_of(trace, one, first);
    values_of(trace, next, second);
    return strcmp(first, second) == 0;
}

/* ---- one round ---- */

static void print_steps(const cli_trace *trace, FILE *out, const cli_trace_step *steps, size_t count,
                        unsigned threads) {
    bool idle[THREADS_MAX];
    bool any = false;
    memset(idle, 1, sizeof idle);
    fprintf(out, "  %-11s %-16s %-7s %s\n", "thread", "index", "active", "values");
    for (size_t i = 0; i < count; i++) {
        const cli_trace_step *first = &steps[i];
        char thread[32], place[PLACE_BYTES], values[VALUES_BYTES];
        while (i + 1 < count && continues(trace, &steps[i], &steps[i + 1])) i++;
        for (unsigned t = first->thread; t <= steps[i].thread && t < THREADS_MAX; t++) idle[t] = false;
        if (first == &steps[i])
            snprintf(thread, sizeof thread, "%u", first->thread);
        else
            snprintf(thread, sizeof thread, "%u-%u", first->thread, steps[i].thread);
        values_of(trace, first, values);
        fprintf(out, "  %-11s %-16s %-7s %s\n", thread, place_of(first, &steps[i], place), "yes", values);
    }
    for (unsigned t = 0; t < threads && t < THREADS_MAX; t++) any |= idle[t];
    if (!any) return;
    fprintf(out, "  %-11s %-16s %-7s", "the others", "-", "no");
    print_threads(out, idle, threads < THREADS_MAX ? threads : THREADS_MAX);
    fputc('\n', out);
}

/* "shared: 6 5 22 13 -0 (24 times)" */
static void print_held(const cli_trace *trace, FILE *out, const cli_trace_interval *interval) {
    char value[CLI_TRACE_VALUE_BYTES], next[CLI_TRACE_VALUE_BYTES];
    if (interval->held_count == 0) return;
    fprintf(out, "  shared:");
    int shown = 0;
    for (size_t i = 0, last; i < interval->held_count; i = last + 1) {
        if (shown++ == HELD_SHOWN) {
            fprintf(out, " ... (%zu more)", interval->held_count - i);
            break;
        }
        cli_trace_value(trace, interval->held[i], interval->held[i]->bits, value);
        for (last = i; last + 1 < interval->held_count; last++) {
            const cli_trace_event *other = interval->held[last + 1];
            if (strcmp(value, cli_trace_value(trace, other, other->bits, next)) != 0) break;
        }
        fprintf(out, " %s", value);
        if (last > i) fprintf(out, " (%zu times)", last + 1 - i);
    }
    fputc('\n', out);
}

static void print_interval(const cli_trace *trace, FILE *out, const cli_trace_launch *launch,
                           const cli_trace_interval *interval, unsigned *round) {
    const unsigned threads = launch->block[0] * launch->block[1] * launch->block[2];
    size_t from = 0;
    for (unsigned r = 0; r < interval->rounds; r++) {
        size_t to = from;
        while (to < interval->count && interval->steps[to].round == r) to++;
        fprintf(out, "\n  round %u (PTX line %u)\n", ++*round, interval->steps[from].given.line);
        print_steps(trace, out, &interval->steps[from], to - from, threads);
        from = to;
    }
    if (interval->rounds == 0 && interval->end->kind == CLI_TRACE_END) return;
    if (interval->rounds > 0) print_held(trace, out, interval);
    if (interval->end->kind == CLI_TRACE_BARRIER) fprintf(out, "  ---- barrier (PTX line %u)\n", interval->end->line);
}

/* ---- all of it ---- */

static cli_exit print_block(const cli_trace *trace, FILE *out, const cli_trace_launch *launch, uint64_t block,
                            cli_error *error) {
    cli_trace_walk walk = {.launch = launch, .block = block, .joined = cli_trace_joined(trace)};
    const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    unsigned round = 0;
    if (blocks > 1) fprintf(out, "\n block %" PRIu64 "\n", block);
    for (bool more = true; more;) {
        cli_trace_interval interval;
        const cli_exit code = cli_trace_interval_next(&walk, &interval, &more, error);
        if (code == CLI_OK && more) print_interval(trace, out, launch, &interval, &round);
        cli_trace_interval_free(&interval);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}

cli_exit cli_trace_table(const cli_trace *trace, FILE *out, cli_error *error) {
    cli_exit code = CLI_OK;
    fprintf(out, "%s%s%s of %" PRIu64 " %s by %s\n", trace->scan ? trace->scan : "", trace->scan ? " scan, " : "",
            trace->op != JR_OP_NONE ? jr_op_name(trace->op) : "several operators", trace->count,
            trace->element == JR_STRUCT ? "structs" : jr_type_name(trace->element), trace->algorithm);
    for (size_t i = 0; code == CLI_OK && i < trace->record.count; i++) {
        const cli_trace_launch *launch = &trace->record.launches[i];
        const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
        fprintf(out, "\nlaunch %zu: %s, %" PRIu64 " block%s of %u threads\n", i + 1, launch->kernel, blocks,
                blocks == 1 ? "" : "s", launch->block[0] * launch->block[1] * launch->block[2]);
        for (uint64_t block = 0; code == CLI_OK && block < blocks; block++)
            code = print_block(trace, out, launch, block, error);
    }
    if (code != CLI_OK) return code;
    fputs(trace->value_count > 0 ? "\nresult:" : "", out);
    for (int i = 0; i < trace->value_count; i++) {
        char text[CLI_VALUE_BYTES];
        fprintf(out, " %s", cli_value_text(&trace->values[i], trace->structure, text));
    }
    fputs(trace->value_count > 0 ? "\n" : "", out);
    return CLI_OK;
}
