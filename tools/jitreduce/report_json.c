/* The JSON object of --json. Written by hand: jansson has no 64-bit unsigned numbers, and would print an f32 with the
 * digits of a double. tests/unit/test_cli_report.c has jansson read it back. */
#include "report.h"

#include <math.h>
#include <stdbool.h>

static void print_string(FILE *out, const char *text) {
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < 0x20 || c >= 0x7f)
            fprintf(out, "\\u%04x", c); /* bytes beyond ASCII as Latin-1: driver strings have none */
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static bool is_finite(const jr_value *value) {
    if (value->type == JR_F32) return isfinite(value->as.f32);
    if (value->type == JR_F64) return isfinite(value->as.f64);
    return true;
}

static void print_value(FILE *out, const jr_value *value) {
    char text[64] = "";
    bool good = jr_value_print(value, text, sizeof text) == JR_OK;
    if (good && is_finite(value))
        fputs(text, out);
    else
        print_string(out, text);
}

static void print_device(FILE *out, const jr_device_info *device) {
    fputs(", \"device\": {\"name\": ", out);
    print_string(out, device->name);
    fprintf(out, ", \"simulated\": %s, \"capability\": \"%d.%d\", \"multiprocessors\": %d, \"driver_version\": %d}",
            device->simulated ? "true" : "false", device->capability_major, device->capability_minor,
            device->multiprocessor_count, device->driver_version);
}

static void print_stats(FILE *out, const cli_report *report) {
    const jr_stats *stats = &report->stats;
    fprintf(out,
            ", \"stats\": {\"kernel\": \"%s\", \"algorithm\": \"%s\", \"unroll\": %d, \"block\": %d, \"grid\": %d, "
            "\"launches\": %d",
            cli_origin_text(stats->origin), jr_algorithm_name(stats->algorithm), stats->unroll, stats->block,
            stats->grid, stats->launches);
    fprintf(out,
            ", \"nvrtc_ms\": %.6f, \"cache_ms\": %.6f, \"load_ms\": %.6f, \"copy_ms\": %.6f, \"launch_ms\": %.6f, "
            "\"kernel_ms\": %.6f, \"gb_per_s\": %.3f}",
            stats->nvrtc_ms, stats->cache_ms, stats->load_ms, stats->copy_ms, stats->launch_ms, stats->kernel_ms,
            cli_report_gb_per_s(report));
}

void cli_report_json(const cli_report *report, FILE *out) {
    fputs("{\"value\": ", out);
    print_value(out, &report->value);
    fprintf(out, ", \"type\": \"%s\", \"op\": \"%s\", \"input_type\": \"%s\", \"count\": %llu",
            jr_type_name(report->value.type), jr_op_name(report->op), jr_type_name(report->type),
            (unsigned long long)report->count);
    print_device(out, &report->device);
    print_stats(out, report);
    fputs(", \"version\": ", out);
    print_string(out, jr_version());
    fputs("}\n", out);
}
