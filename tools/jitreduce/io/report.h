/* What a reduction found, and the three forms in which the command prints it. */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdio.h>

#include "options/cli_options.h"

typedef struct cli_report {
    int op_count; /* 1 or more; 0: the value is the number of elements */
    jr_op ops[JR_OPS_MAX];
    int value_count;             /* op_count or more */
    jr_value values[JR_OPS_MAX]; /* of the operators first */
    jr_type type;                /* of the elements of the first input */
    uint64_t count;
    uint64_t bytes;                /* of all inputs */
    const jr_structure *structure; /* of structs among the values */
    const cli_options *options;    /* that say how numbers are printed; NULL: in full */
    size_t group_devices;          /* devices of a group; 0: no group */
    int ranks;                     /* of --mpi; 0: none */
    jr_stats stats;
    jr_device_info device;
} cli_report;

/* Room for the text of a value: "{false}, " for each byte of a struct. */
enum { CLI_VALUE_BYTES = 16 * JR_STRUCT_BYTES_MAX };

/* Writes a value as text into CLI_VALUE_BYTES. A struct (structure: its source and size) is written by its members,
 * {2, 1.5}; by its bytes in hexadecimal digits if the source does not show its members. structure: NULL if the value is
 * a number. Returns text. */
const char *cli_value_text(const jr_value *value, const jr_structure *structure, char *text);

/* The value of an operator (JR_OP_NONE: a count) as --round makes it: floats alone are rounded. */
jr_value cli_value_rounded(const cli_options *options, jr_op op, const jr_value *value);

/* As cli_value_text, in the form that --round and --format ask for. options: NULL: none. */
const char *cli_value_shown(const cli_options *options, jr_op op, const jr_value *value, const jr_structure *structure,
                            char *text);

/* Prints the text of a value as a field of a line whose fields are separated by `between`: in double quotes if it has
 * that character and the line is CSV. */
void cli_value_field(FILE *out, const char *text, char between);

/* The name of a value: its operator's, or, after the operators, "count". */
const char *cli_value_name(const jr_op *ops, int op_count, int number);

/* Prints the values alone, one a line; each reads back as the same bits. */
void cli_report_value(const cli_report *report, FILE *out);

/* Prints the names of the operators, and a line of their values. */
void cli_report_csv(const cli_report *report, char between, FILE *out);

/* Prints where a kernel came from, why it was compiled, and how long that took. */
void cli_report_kernel(const jr_stats *stats, FILE *out);

/* Prints the line of a device. */
void cli_report_device(const jr_device_info *device, FILE *out);

/* Prints the table of --stats. */
void cli_report_stats(const cli_report *report, FILE *out);

/* Prints the object of --json. For one result it has value, type and op; for several, one member per operator. */
void cli_report_json(const cli_report *report, FILE *out);

/* Prints the members after the results in the object of --json, and closes it. */
void cli_json_rest(FILE *out, const cli_report *report);

/* Prints what stands before a text as it is, a member's name say, then the text as a JSON string, quotes and all; bytes
 * beyond ASCII count as Latin-1. */
void cli_json_text(FILE *out, const char *before, const char *text);

/* Prints a value as JSON: a number when it is finite, true or false, else a string: "nan", "inf", "-inf". A
 * struct is an object of its members, or a string of its bytes, as in cli_value_text. */
void cli_json_value(FILE *out, const jr_value *value, const jr_structure *structure);

/* Prints the members of a device's JSON object, without its braces. */
void cli_json_device(FILE *out, const jr_device_info *device);

/* Input bytes per second of kernel time, in 10^9; 0 when no kernel time was measured. */
double cli_report_gb_per_s(const cli_report *report);

/* Where a kernel came from, in words: "compiled", "disk hit". */
const char *cli_origin_text(jr_origin origin);

/* An algorithm's name; those of segments, which have none, are "segmented". */
const char *cli_algorithm_text(jr_algorithm algorithm);

#endif
