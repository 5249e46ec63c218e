/* Count, extremes, mean and deviation of a column of CSV text, in one pass over the data.
 *
 * usage: csv_statistics [FILE [COLUMN]]     columns count from 1; default: the text below
 * cc csv_statistics.c $(pkg-config --cflags --libs jitreduce)
 *
 * Prints:
 * count 6
 * min   -3.5
 * max   21.25
 * mean  9.125
 * std   8.9523042
 */
#define _POSIX_C_SOURCE 200809L /* fmemopen */
#include <jitreduce.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPS = 4, LINE_BYTES = 4096 };

static const char builtin[] = "day,temperature\n1,12.5\n2,-3.5\n3,21.25\n4,7\n5,n/a\n6,15\n7,2.5\n";

typedef struct column {
    double *values;
    uint64_t count, room;
} column;

/* The text of a column of a line; NULL if the line has fewer columns. */
static char *find_field(char *line, int wanted) {
    while (--wanted > 0) {
        while (*line != '\0' && *line != ',') line++;
        if (*line++ == '\0') return NULL;
    }
    return line;
}

/* Appends the number of a line; lines without one (headings, gaps) are skipped. */
static int take(column *taken, char *line, int wanted) {
    char *field = find_field(line, wanted), *end = field;
    const double value = field != NULL ? strtod(field, &end) : 0;
    if (end == field || (*end != ',' && *end != '\n' && *end != '\0')) return 1;
    if (taken->count == taken->room) {
        const uint64_t room = taken->room > 0 ? 2 * taken->room : 1024;
        double *larger = realloc(taken->values, room * sizeof *larger);
        if (larger == NULL) return 0;
        taken->values = larger;
        taken->room = room;
    }
    taken->values[taken->count++] = value;
    return 1;
}

static int read_column(FILE *file, int wanted, column *taken) {
    char line[LINE_BYTES];
    while (fgets(line, sizeof line, file) != NULL)
        if (!take(taken, line, wanted)) return 0;
    return 1;
}

static int print_statistics(const column *taken) {
    static const jr_op ops[OPS] = {JR_OP_MIN, JR_OP_MAX, JR_OP_MEAN, JR_OP_STD};
    const jr_options options = JR_INIT(jr_options, .device = "auto");
    const jr_spec spec = JR_INIT(jr_spec, .ops = ops, .op_count = OPS, .type = JR_F64, .ddof = 1);
    const void *arrays[] = {taken->values};
    jr_context *context = NULL;
    jr_value values[OPS];
    const jr_work work = JR_INIT(jr_work, .spec = &spec);
    const jr_work_data data = JR_INIT(jr_work_data, .in = arrays, .count = taken->count, .values = values);
    char text[JR_VALUE_TEXT_BYTES];
    jr_status status = jr_context_open(&options, &context);
    if (status == JR_OK) status = jr_work_run_host(context, &work, &data);
    jr_context_close(context);
    if (status != JR_OK) return fprintf(stderr, "%s\n", jr_last_error()->message), 1;
    printf("count %llu\n", (unsigned long long)taken->count);
    for (int i = 0; i < OPS; i++) {
        (void)jr_value_print(&values[i], text, sizeof text);
        printf("%-5s %.8g\n", jr_op_name(ops[i]), strtod(text, NULL));
    }
    return 0;
}

int main(int count, char **arguments) {
    FILE *file = count > 1 ? fopen(arguments[1], "r") : fmemopen((void *)builtin, sizeof builtin - 1, "r");
    column taken = {NULL, 0, 0};
    if (file == NULL) return perror(count > 1 ? arguments[1] : "the text"), 1;
    const int whole = read_column(file, count > 2 ? (int)strtol(arguments[2], NULL, 10) : 2, &taken);
    fclose(file);
    const int code = whole ? print_statistics(&taken) : 1;
    free(taken.values);
    return code;
}
