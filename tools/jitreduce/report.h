/* What a reduction found, and the three forms in which the command tells it. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdio.h>

#include <jitreduce.h>

typedef struct cli_report {
    jr_op op;
    jr_type type; /* of the elements */
    uint64_t count;
    jr_value value;
    jr_stats stats;
    jr_device_info device;
} cli_report;

/* Prints the value alone and a newline; it reads back as the same bits. */
void cli_report_value(const cli_report *report, FILE *out);

/* Prints the table of --stats. */
void cli_report_stats(const cli_report *report, FILE *out);

/* Prints the object of --json: the value is a number when it is finite, else the string "nan", "inf" or "-inf". */
void cli_report_json(const cli_report *report, FILE *out);

/* Input bytes per second of kernel time, in 10^9; 0 when no kernel time was measured. */
double cli_report_gb_per_s(const cli_report *report);

/* Where a kernel came from, in words: "compiled", "disk hit". */
const char *cli_origin_text(jr_origin origin);

#endif
