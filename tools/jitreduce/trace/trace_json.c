/* Rounds as one JSON object. */
#include <inttypes.h>
#include <string.h>

#include "io/report.h"
#include "trace.h"

/* A text that is a number stays one; nan, inf and bits become strings. */
static void print_value(const cli_trace *trace, FILE *out, const char *before, const cli_trace_event *event,
                        uint64_t bits) {
    char text[CLI_TRACE_VALUE_BYTES];
    cli_trace_value(trace, event, bits, text);
    const bool bare =
        strspn(text, "+-0123456789.e") == strlen(text) || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
    if (bare)
        fprintf(out, "%s%s", before, text);
    else
        cli_json_text(out, before, text);
}

static const char *kind_of(const cli_trace_event *event) {
    if (event->kind == CLI_TRACE_SHUFFLE) return "shuffle";
    if (event->kind == CLI_TRACE_REDUX) return "redux";
    if (event->kind == CLI_TRACE_ATOMIC) return event->global ? "atomic global" : "atomic shared";
    return event->global ? "global" : "shared";
}

static void print_step(const cli_trace *trace, FILE *out, const cli_trace_step *step) {
    const cli_trace_event *event = &step->given;
    fprintf(out, "{\"thread\": %u, \"active\": true, \"to\": \"%s\"", step->thread, kind_of(event));
    if (!step->exchanged)
        fprintf(out, ", \"index\": %" PRIu64, event->bytes > 0 ? event->offset / event->bytes : event->offset);
    if (step->load_count > 0) {
        fprintf(out, ", \"loads\": %zu, \"loaded\": [", step->load_count);
        for (size_t i = 0; i < step->load_count && i < CLI_TRACE_LOADS; i++)
            print_value(trace, out, i > 0 ? ", " : "", &step->loads[i], step->loads[i].bits);
        fputc(']', out);
    }
    print_value(trace, out, ", \"value\": ", event, event->bits);
    if (step->exchanged) print_value(trace, out, ", \"got\": ", event, event->got);
    fputc('}', out);
}

static void print_held(const cli_trace *trace, FILE *out, const cli_trace_interval *interval) {
    fprintf(out, ", \"shared\": [");
    for (size_t i = 0; i < interval->held_count; i++) {
        const cli_trace_event *event = interval->held[i];
        fprintf(out, "%s{\"offset\": %" PRIu64, i > 0 ? ", " : "", event->offset);
        print_value(trace, out, ", \"value\": ", event, event->bits);
        fputc('}', out);
    }
    fputc(']', out);
}

static void print_interval(const cli_trace *trace, FILE *out, const cli_trace_interval *interval) {
    fprintf(out, "{\"rounds\": [");
    for (size_t i = 0; i < interval->count; i++) {
        const cli_trace_step *step = &interval->steps[i];
        const bool begins = i == 0 || step[-1].round != step->round;
        if (begins) fprintf(out, "%s{\"line\": %u, \"threads\": [", i > 0 ? "]}, " : "", step->given.line);
        fputs(begins ? "" : ", ", out);
        print_step(trace, out, step);
    }
    fprintf(out, "%s], \"ends\": \"%s\"", interval->count > 0 ? "]}" : "",
            interval->end->kind == CLI_TRACE_BARRIER ? "barrier" : "exit");
    if (interval->end->kind == CLI_TRACE_BARRIER) fprintf(out, ", \"line\": %u", interval->end->line);
    print_held(trace, out, interval);
    fputc('}', out);
}

static cli_exit print_block(const cli_trace *trace, FILE *out, const cli_trace_launch *launch, uint64_t block,
                            cli_error *error) {
    cli_trace_walk walk = {.launch = launch, .block = block, .joined = cli_trace_joined(trace)};
    bool first = true;
    fprintf(out, "{\"block\": %" PRIu64 ", \"intervals\": [", block);
    for (bool more = true; more;) {
        cli_trace_interval interval;
        const cli_exit code = cli_trace_interval_next(&walk, &interval, &more, error);
        if (code == CLI_OK && more) {
            fputs(first ? "" : ", ", out);
            print_interval(trace, out, &interval);
        }
        first = false;
        cli_trace_interval_free(&interval);
        if (code != CLI_OK) return code;
    }
    fputs("]}", out);
    return CLI_OK;
}

cli_exit cli_trace_json(const cli_trace *trace, FILE *out, cli_error *error) {
    cli_exit code = CLI_OK;
    fprintf(out, "{\"op\": \"%s\", \"scan\": %s%s%s, \"algorithm\": \"%s\", \"count\": %" PRIu64 ", \"launches\": [",
            trace->op != JR_OP_NONE ? jr_op_name(trace->op) : "several", trace->scan ? "\"" : "",
            trace->scan ? trace->scan : "null", trace->scan ? "\"" : "", trace->algorithm, trace->count);
    for (size_t i = 0; code == CLI_OK && i < trace->record.count; i++) {
        const cli_trace_launch *launch = &trace->record.launches[i];
        const uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
        fprintf(out, "%s{\"kernel\": \"%s\", \"grid\": [%u, %u, %u], \"block\": [%u, %u, %u], \"blocks\": [",
                i > 0 ? ", " : "", launch->kernel, launch->grid[0], launch->grid[1], launch->grid[2], launch->block[0],
                launch->block[1], launch->block[2]);
        for (uint64_t block = 0; code == CLI_OK && block < blocks; block++) {
            fputs(block > 0 ? ", " : "", out);
            code = print_block(trace, out, launch, block, error);
        }
        fputs("]}", out);
    }
    fputs("]", out);
    for (int i = 0; i < trace->value_count; i++) {
        fputs(i > 0 ? ", " : ", \"values\": [", out);
        cli_json_value(out, &trace->values[i], trace->structure);
    }
    fputs(trace->value_count > 0 ? "]}\n" : "}\n", out);
    return code;
}
