/* Reads the simulator's record; the beginning of src/sim/exec/observe/rounds.c defines its lines. */
#include "trace_record.h"

#include <stdlib.h>
#include <string.h>

bool cli_trace_grow(void **items, size_t count, size_t *capacity, size_t bytes) {
    if (count < *capacity) return true;
    const size_t larger = *capacity ? *capacity * 2 : 64;
    void *moved = realloc(*items, larger * bytes);
    if (moved == NULL) return false;
    *items = moved;
    *capacity = larger;
    return true;
}

/* ---- lines ---- */

enum { FIELDS_MAX = 8 };

/* A line cut at its blanks. */
typedef struct fields {
    const char *at[FIELDS_MAX];
    size_t count; /* more than FIELDS_MAX: too many */
} fields;

static fields cut(char *line) {
    fields found = {.count = 0};
    char *rest = NULL;
    for (char *word = strtok_r(line, " \n", &rest); word != NULL; word = strtok_r(NULL, " \n", &rest)) {
        if (found.count < FIELDS_MAX) found.at[found.count] = word;
        found.count++;
    }
    return found;
}

static bool take_number(const char *text, int base, uint64_t *number) {
    char *end;
    *number = strtoull(text, &end, base);
    return end != text && *end == '\0';
}

static bool take_unsigned(const char *text, unsigned *number) {
    uint64_t wide;
    if (!take_number(text, 10, &wide) || wide > UINT32_MAX) return false;
    *number = (unsigned)wide;
    return true;
}

/* Bits of more than 64 keep the low ones. */
static bool take_bits(const char *text, uint64_t *bits) {
    const size_t digits = strlen(text);
    return take_number(digits > 16 ? text + digits - 16 : text, 16, bits);
}

static bool take_type(const char *text, cli_trace_event *event) {
    const unsigned long bits = strtoul(text + strcspn(text, "0123456789"), NULL, 10);
    snprintf(event->type, sizeof event->type, "%s", text);
    event->bytes = bits >= 8 && bits <= 128 ? (unsigned)(bits / 8) : 4;
    return strlen(text) < sizeof event->type;
}

/* The fields that all accesses and exchanges begin with. */
static bool take_thread(const fields *line, cli_trace_event *event) {
    return take_number(line->at[1], 10, &event->block) && take_unsigned(line->at[2], &event->thread) &&
           take_unsigned(line->at[3], &event->line);
}

static bool take_access(const fields *line, cli_trace_event *event) {
    const char *what = line->at[0];
    event->global = *what == 'G';
    what += event->global;
    event->kind = *what == 'S' ? CLI_TRACE_STORE : *what == 'L' ? CLI_TRACE_LOAD : CLI_TRACE_ATOMIC;
    if (strchr("SLA", *what) == NULL || line->count != (event->global ? 8 : 7) || !take_thread(line, event))
        return false;
    if (event->global && !take_number(line->at[4], 16, &event->range)) return false;
    const char *const *rest = &line->at[event->global ? 5 : 4];
    return take_number(rest[0], 10, &event->offset) && take_type(rest[1], event) && take_bits(rest[2], &event->bits);
}

static bool take_exchange(const fields *line, cli_trace_event *event) {
    event->kind = *line->at[0] == 'X' ? CLI_TRACE_SHUFFLE : CLI_TRACE_REDUX;
    return line->count == 7 && take_thread(line, event) && take_type(line->at[4], event) &&
           take_bits(line->at[5], &event->bits) && take_bits(line->at[6], &event->got);
}

static bool take_held(const fields *line, cli_trace_event *event) {
    event->kind = CLI_TRACE_HELD;
    return line->count == 5 && take_number(line->at[1], 10, &event->block) &&
           take_number(line->at[2], 10, &event->offset) && take_type(line->at[3], event) &&
           take_bits(line->at[4], &event->bits);
}

static bool take_event(const fields *line, cli_trace_event *event) {
    *event = (cli_trace_event){.kind = CLI_TRACE_END};
    switch (*line->at[0]) {
    case 'M': return take_held(line, event);
    case 'X':
    case 'R': return take_exchange(line, event);
    case 'E': return line->count == 2 && take_number(line->at[1], 10, &event->block);
    case 'W':
        event->kind = CLI_TRACE_BARRIER;
        return line->count == 3 && take_number(line->at[1], 10, &event->block) &&
               take_unsigned(line->at[2], &event->line);
    default: return take_access(line, event);
    }
}

static bool take_launch(const fields *line, cli_trace_launch *launch) {
    *launch = (cli_trace_launch){.count = 0};
    snprintf(launch->kernel, sizeof launch->kernel, "%s", line->at[1]);
    bool good = line->count == 8;
    for (int i = 0; i < 3 && good; i++)
        good = take_unsigned(line->at[2 + i], &launch->grid[i]) && take_unsigned(line->at[5 + i], &launch->block[i]);
    return good;
}

/* ---- the record ---- */

/* False: out of memory, or, *good false, a line that cannot be read. */
static bool take_line(cli_trace_record *record, char *text, bool *good) {
    const fields line = cut(text);
    const bool begins = line.count > 0 && strcmp(line.at[0], "launch") == 0;
    *good = line.count > 1 && (begins || record->count > 0);
    if (!*good) return false;
    if (begins) {
        void *items = record->launches;
        if (!cli_trace_grow(&items, record->count, &record->capacity, sizeof *record->launches)) return false;
        record->launches = items;
        *good = take_launch(&line, &record->launches[record->count]);
        record->count += *good;
        return *good;
    }
    cli_trace_launch *launch = &record->launches[record->count - 1];
    void *items = launch->events;
    if (!cli_trace_grow(&items, launch->count, &launch->capacity, sizeof *launch->events)) return false;
    launch->events = items;
    *good = take_event(&line, &launch->events[launch->count]);
    launch->count += *good;
    return *good;
}

cli_exit cli_trace_record_read(FILE *file, cli_trace_record *record, cli_error *error) {
    cli_trace_record read = {.count = 0};
    char line[512];
    bool good = true, taken = true;
    while (taken && fgets(line, sizeof line, file) != NULL) taken = take_line(&read, line, &good);
    if (taken) {
        *record = read;
        return CLI_OK;
    }
    cli_trace_record_free(&read);
    if (good) return cli_fail(error, CLI_FAILURE, "trace: out of memory for the recording of the simulator");
    return cli_fail(error, CLI_FAILURE, "trace: a line of the simulator's recording cannot be read: '%.40s ...'", line);
}

void cli_trace_record_free(cli_trace_record *record) {
    for (size_t i = 0; i < record->count; i++) free(record->launches[i].events);
    free(record->launches);
    *record = (cli_trace_record){.count = 0};
}
