/* A stable radix sort, from the last byte of the codes to the first (Knuth, The Art of Computer Programming 3, 5.2.5);
 * bytes that all codes share are skipped. */
#include "group_sort.h"

#include <stdlib.h>
#include <string.h>

enum { CODE_BYTES = 8 };

static bool is_sorted(const cli_coded_row *rows, uint64_t count) {
    for (uint64_t i = 1; i < count; i++)
        if (rows[i - 1].code > rows[i].code) return false;
    return true;
}

/* Whether rows, which ascend, leave no element out but at the end. */
static bool leaves_none_out(const cli_coded_row *rows, uint64_t count) {
    return count == 0 || rows[count - 1].row == count - 1;
}

/* Sorts by one byte of the codes; counts: how many codes have each of its values. */
static void sort_by_byte(const cli_coded_row *from, uint64_t count, int shift, const uint64_t counts[256],
                         cli_coded_row *to) {
    uint64_t begins[256], begin = 0;
    for (int i = 0; i < 256; i++) {
        begins[i] = begin;
        begin += counts[i];
    }
    for (uint64_t i = 0; i < count; i++) to[begins[from[i].code >> shift & 0xff]++] = from[i];
}

/* Sorts 1 or more rows, with as many rows of scratch memory; returns which of the two holds what is sorted. */
static cli_coded_row *sort(cli_coded_row *rows, cli_coded_row *beside, uint64_t count) {
    uint64_t counts[CODE_BYTES][256];
    memset(counts, 0, sizeof counts);
    for (uint64_t i = 0; i < count; i++)
        for (int byte = 0; byte < CODE_BYTES; byte++) counts[byte][rows[i].code >> 8 * byte & 0xff]++;
    for (int byte = 0; byte < CODE_BYTES; byte++) {
        if (counts[byte][rows[0].code >> 8 * byte & 0xff] == count) continue;
        sort_by_byte(rows, count, 8 * byte, counts[byte], beside);
        cli_coded_row *sorted = beside;
        beside = rows;
        rows = sorted;
    }
    return rows;
}

/* The element at which each code begins, and the end. */
static bool find_offsets(const cli_coded_row *rows, uint64_t count, cli_groups *groups) {
    uint64_t changes = 0;
    for (uint64_t i = 0; i < count; i++) changes += i == 0 || rows[i].code != rows[i - 1].code;
    uint64_t *offsets = malloc((changes + 1) * sizeof *offsets);
    if (offsets == NULL) return false;
    groups->offsets = offsets;
    groups->count = changes;
    for (uint64_t i = 0; i < count; i++)
        if (i == 0 || rows[i].code != rows[i - 1].code) *offsets++ = i;
    *offsets = count;
    return true;
}

static cli_exit fail_memory(uint64_t count, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "--group-by: out of memory for %llu elements", (unsigned long long)count);
}

cli_exit cli_group_sort(cli_coded_row *rows, uint64_t count, cli_groups *groups, cli_error *error) {
    cli_groups made = {.count = 0};
    cli_coded_row *beside = NULL, *sorted = rows;
    if (!is_sorted(rows, count) || !leaves_none_out(rows, count)) {
        beside = malloc(count * sizeof *beside);
        made.rows = malloc(count * sizeof *made.rows);
        if (beside == NULL || made.rows == NULL) {
            free(beside);
            free(made.rows);
            return fail_memory(count, error);
        }
        sorted = sort(rows, beside, count);
        for (uint64_t i = 0; i < count; i++) made.rows[i] = sorted[i].row;
    }
    const bool found = find_offsets(sorted, count, &made);
    free(beside);
    if (!found) {
        free(made.rows);
        return fail_memory(count, error);
    }
    *groups = made;
    return CLI_OK;
}
