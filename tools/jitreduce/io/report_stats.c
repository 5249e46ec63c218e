/* The value alone, and the table of --stats. */
#include "report.h"

#include <string.h>

#include "base/structure.h"
#include "data.h"

const char *cli_algorithm_text(jr_algorithm algorithm) {
    const char *name = jr_algorithm_name(algorithm);
    return strcmp(name, "?") == 0 ? "segmented" : name;
}

const char *cli_origin_text(jr_origin origin) {
    switch (origin) {
    case JR_ORIGIN_NONE: return "none needed";
    case JR_ORIGIN_MEMORY: return "memory hit";
    case JR_ORIGIN_DISK: return "disk hit";
    case JR_ORIGIN_COMPILED: return "compiled";
    case JR_ORIGIN_IMAGE: return "image";
    case JR_ORIGIN_PACK: return "pack hit";
    }
    return "unknown";
}

double cli_report_gb_per_s(const cli_report *report) {
    if (!(report->stats.kernel_ms > 0)) return 0;
    return (double)report->bytes / report->stats.kernel_ms / 1e6;
}

void cli_value_field(FILE *out, const char *text, char between) {
    if (between == ',' && strchr(text, between) != NULL)
        fprintf(out, "\"%s\"", text);
    else
        fputs_unlocked(text, out); /* only this thread prints */
}

const char *cli_value_name(const jr_op *ops, int op_count, int number) {
    return number < op_count ? jr_op_name(ops[number]) : "count";
}

static const char *shown(const cli_report *report, int i, char *text) {
    const jr_op op = i < report->op_count ? report->ops[i] : JR_OP_NONE;
    return cli_value_shown(report->options, op, &report->values[i], report->structure, text);
}

void cli_report_value(const cli_report *report, FILE *out) {
    for (int i = 0; i < report->value_count; i++) {
        char text[CLI_VALUE_BYTES];
        fprintf(out, "%s\n", shown(report, i, text));
    }
}

void cli_report_csv(const cli_report *report, char between, FILE *out) {
    const char separator[] = {between, '\0'};
    for (int i = 0; i < report->value_count; i++)
        fprintf(out, "%s%s", i > 0 ? separator : "", cli_value_name(report->ops, report->op_count, i));
    for (int i = 0; i < report->value_count; i++) {
        char text[CLI_VALUE_BYTES];
        fputs(i > 0 ? separator : "\n", out);
        cli_value_field(out, shown(report, i, text), between);
    }
    fputc('\n', out);
}

void cli_report_kernel(const jr_stats *stats, FILE *out) {
    fprintf(out, "kernel     %s%s\n", cli_origin_text(stats->origin),
            stats->compiled_again ? ", again without --minimal and --Ofast-compile, at which this NVRTC failed" : "");
    if (stats->compiled_because[0] != '\0') fprintf(out, "because    %s\n", stats->compiled_because);
    fprintf(out, "nvrtc      %.3f ms\n", stats->nvrtc_ms);
    fprintf(out, "cache      %.3f ms\n", stats->cache_ms);
    fprintf(out, "load       %.3f ms\n", stats->load_ms);
}

void cli_report_device(const jr_device_info *device, FILE *out) {
    fprintf(out, "device     %s (%s %d.%d)\n", device->name, device->simulated ? "simulated sm" : "sm",
            device->capability_major, device->capability_minor);
}

void cli_report_stats(const cli_report *report, FILE *out) {
    const jr_stats *stats = &report->stats;
    cli_report_device(&report->device, out);
    if (report->group_devices > 0)
        fprintf(out, "group      %zu devices, of which this is the first\n", report->group_devices);
    if (report->ranks > 0) fprintf(out, "ranks      %d\n", report->ranks);
    fprintf(out, "input      %llu elements of %s\n", (unsigned long long)report->count, cli_type_name(report->type));
    for (int i = 0; i < report->op_count; i++)
        fprintf(out, "operator   %s, result %s\n", jr_op_name(report->ops[i]), cli_type_name(report->values[i].type));
    fprintf(out, "algorithm  %s\n", cli_algorithm_text(stats->algorithm));
    fprintf(out, "unroll     %d\n", stats->unroll);
    fprintf(out, "block      %d\n", stats->block);
    fprintf(out, "grid       %d\n", stats->grid);
    fprintf(out, "tuning     %s\n", stats->tuned_by);
    fprintf(out, "launches   %d\n", stats->launches);
    if (stats->parts > 0)
        fprintf(out, "chunked    in %llu parts through the device\n", (unsigned long long)stats->parts);
    cli_report_kernel(stats, out);
    fprintf(out, "copy       %.3f ms\n", stats->copy_ms);
    fprintf(out, "launch     %.3f ms\n", stats->launch_ms);
    fprintf(out, "run        %.3f ms (%.1f GB/s)\n", stats->kernel_ms, cli_report_gb_per_s(report));
}
