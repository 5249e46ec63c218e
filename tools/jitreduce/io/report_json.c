/* The JSON object of --json. Written by hand: jansson has no 64-bit unsigned numbers, and would print an f32 with the
 * digits of a double. */
#include "report.h"

#include <math.h>
#include <stdbool.h>

#include "base/structure.h"
#include "data.h"

void cli_json_text(FILE *out, const char *before, const char *text) {
    fprintf(out, "%s\"", before);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

/* A number of JSON, or true or false. */
static bool is_bare(const jr_value *value) {
    double number;
    return jr_value_number(value, &number) == JR_OK && isfinite(number);
}

/* The members of a struct: {"key": 2, "at": [1, 2]}. */
static void print_members(FILE *out, const jr_value *value, const cli_layout *layout) {
    for (int i = 0; i < layout->count; i++) {
        const cli_member *member = &layout->members[i];
        fprintf(out, "%s\"%.*s\": %s", i > 0 ? ", " : "{", (int)member->length, member->name, member->array ? "[" : "");
        for (size_t k = 0; k < member->count; k++) {
            const jr_value number = cli_member_value(member, value->as.bytes, k);
            if (k > 0) fputs(", ", out);
            cli_json_value(out, &number, NULL);
        }
        if (member->array) fputc(']', out);
    }
    fputc('}', out);
}

void cli_json_value(FILE *out, const jr_value *value, const jr_structure *structure) {
    char text[CLI_VALUE_BYTES];
    cli_layout layout;
    if (value->type == JR_STRUCT && cli_structure_lay_out(structure, &layout)) {
        print_members(out, value, &layout);
        return;
    }
    cli_value_text(value, structure, text);
    if (is_bare(value))
        fputs(text, out);
    else
        cli_json_text(out, "", text);
}

void cli_json_device(FILE *out, const jr_device_info *device) {
    cli_json_text(out, "\"name\": ", device->name);
    fprintf(out, ", \"simulated\": %s, \"capability\": \"%d.%d\", \"multiprocessors\": %d, \"driver_version\": %d",
            device->simulated ? "true" : "false", device->capability_major, device->capability_minor,
            device->multiprocessor_count, device->driver_version);
}

static void print_stats(FILE *out, const cli_report *report) {
    const jr_stats *stats = &report->stats;
    fprintf(out,
            ", \"stats\": {\"kernel\": \"%s\", \"algorithm\": \"%s\", \"unroll\": %d, \"block\": %d, \"grid\": %d, "
            "\"launches\": %d, \"parts\": %llu",
            cli_origin_text(stats->origin), cli_algorithm_text(stats->algorithm), stats->unroll, stats->block,
            stats->grid, stats->launches, (unsigned long long)stats->parts);
    cli_json_text(out, ", \"tuning\": ", stats->tuned_by);
    cli_json_text(out, ", \"compiled_because\": ", stats->compiled_because);
    fprintf(out,
            ", \"nvrtc_ms\": %.6f, \"cache_ms\": %.6f, \"load_ms\": %.6f, \"copy_ms\": %.6f, \"launch_ms\": %.6f, "
            "\"kernel_ms\": %.6f, \"gb_per_s\": %.3f, \"compiled_again\": %s}",
            stats->nvrtc_ms, stats->cache_ms, stats->load_ms, stats->copy_ms, stats->launch_ms, stats->kernel_ms,
            cli_report_gb_per_s(report), stats->compiled_again ? "true" : "false");
}

/* "value": v, "type": "t" */
static void print_result(FILE *out, const cli_report *report, int i) {
    const jr_op op = i < report->op_count ? report->ops[i] : JR_OP_NONE;
    const jr_value value = cli_value_rounded(report->options, op, &report->values[i]);
    fputs("\"value\": ", out);
    cli_json_value(out, &value, report->structure);
    fprintf(out, ", \"type\": \"%s\"", cli_type_name(value.type));
}

static void print_results(FILE *out, const cli_report *report) {
    if (report->value_count == 1) {
        print_result(out, report, 0);
        fprintf(out, ", \"op\": \"%s\"", cli_value_name(report->ops, report->op_count, 0));
        return;
    }
    fputs("\"results\": {", out);
    for (int i = 0; i < report->value_count; i++) {
        fprintf(out, "%s\"%s\": {", i > 0 ? ", " : "", cli_value_name(report->ops, report->op_count, i));
        print_result(out, report, i);
        fputc('}', out);
    }
    fputc('}', out);
}

void cli_json_rest(FILE *out, const cli_report *report) {
    fprintf(out, ", \"input_type\": \"%s\", \"count\": %llu, \"device\": {", cli_type_name(report->type),
            (unsigned long long)report->count);
    cli_json_device(out, &report->device);
    fputc('}', out);
    if (report->group_devices > 0) fprintf(out, ", \"devices\": %zu", report->group_devices);
    if (report->ranks > 0) fprintf(out, ", \"ranks\": %d", report->ranks);
    print_stats(out, report);
    cli_json_text(out, ", \"version\": ", jr_version());
    fputs("}\n", out);
}

void cli_report_json(const cli_report *report, FILE *out) {
    fputc('{', out);
    print_results(out, report);
    cli_json_rest(out, report);
}
