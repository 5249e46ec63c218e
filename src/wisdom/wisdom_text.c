/* Prints and reads wisdom.
 *
 *     jitreduce wisdom 1
 *     device NVIDIA H200
 *     capability 9.0
 *     ...
 *     sum f32, 1024 elements: estimate; 3.012 us, estimate 3.012 us
 *     sum f32, 1048576 elements: two_pass, unroll 4, block 256, 4 blocks a multiprocessor; 4.101 us, estimate 4.202 us
 *     sha256 ...
 *
 * With "inclusive scan sum f32, 1048576 elements: ..." among the entries it is of format 2, and of format 3 with
 * settings of tunables: "kernel matmul 0123456789abcdef N=1024: BLOCK=256,UF=4; 3.012 us, preferred 4.101 us".
 *
 * Text that is read is refused unless it is exactly what would be printed. Whoever edits a file must update its digest,
 * and keep to the form. */
#include "wisdom_text.h"

#include <stdio.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "plan/algorithms.h"
#include "spec/tuning.h"
#include "tune_work.h"

/* The least format that has all of a wisdom's entries. */
static int format_of(const jr_wisdom *wisdom) {
    int format = JR_WISDOM_FORMAT_FIRST;
    for (size_t p = 0; p < wisdom->count; p++)
        for (size_t i = 0; i < wisdom->parts[p].count; i++) {
            const char *work = wisdom->parts[p].entries[i].work;
            if (jr_work_is_tunable(work)) return JR_WISDOM_FORMAT;
            if (jr_work_job_kind(work) == JR_JOB_SCAN) format = JR_WISDOM_FORMAT_SCANS;
        }
    return format;
}

/* ---- printing ---- */

static void print_time(uint64_t ns, jr_text *text) {
    jr_text_append(text, "%llu.%03u us", (unsigned long long)(ns / 1000), (unsigned)(ns % 1000));
}

static void print_setting(const jr_wisdom_entry *entry, jr_text *text) {
    jr_text_append(text, "%s: %s; ", entry->work, entry->setting);
    print_time(entry->time_ns, text);
    jr_text_append(text, ", preferred ");
    print_time(entry->estimate_ns, text);
    jr_text_append(text, "\n");
}

static void print_entry(const jr_wisdom_entry *entry, jr_text *text) {
    if (jr_work_is_tunable(entry->work)) {
        print_setting(entry, text);
        return;
    }
    jr_text_append(text, "%s, %llu elements: ", entry->work, (unsigned long long)entry->count);
    if (entry->algorithm == JR_ALGORITHM_AUTO)
        jr_text_append(text, "estimate");
    else
        jr_text_append(text, "%s, unroll %d, block %d", jr_algorithms_find(entry->algorithm, JR_JOB_FLAT)->name,
                       entry->unroll, entry->block);
    if (entry->blocks_per_multiprocessor > 0)
        jr_text_append(text, ", %d blocks a multiprocessor", entry->blocks_per_multiprocessor);
    jr_text_append(text, "; ");
    print_time(entry->time_ns, text);
    jr_text_append(text, ", estimate ");
    print_time(entry->estimate_ns, text);
    jr_text_append(text, "\n");
}

void jr_wisdom_print(const jr_wisdom *wisdom, jr_text *text) {
    jr_text_append(text, JR_WISDOM_MAGIC "%d\n", format_of(wisdom));
    for (size_t p = 0; p < wisdom->count; p++) {
        const jr_wisdom_part *part = &wisdom->parts[p];
        for (int field = 0; part->count > 0 && field < JR_MACHINE_FIELD_COUNT; field++)
            jr_text_append(text, "%s %s\n", jr_machine_field_name((jr_machine_field)field),
                           part->machine.values[field]);
        for (size_t i = 0; i < part->count; i++) print_entry(&part->entries[i], text);
    }
    jr_seal_append(text);
}

/* ---- reading: every function steps over what it reads, and is false when something else stands there ---- */

static bool read_literal(const char **at, const char *literal) {
    const size_t length = strlen(literal);
    if (strncmp(*at, literal, length) != 0) return false;
    *at += length;
    return true;
}

/* A number as it is printed: digits, the first of several not 0; up to 10^15. */
static bool read_number(const char **at, uint64_t *number) {
    enum { DIGITS_MAX = 16 };
    const size_t digits = strspn(*at, "0123456789");
    uint64_t value = 0;
    if (digits == 0 || digits > DIGITS_MAX || (digits > 1 && **at == '0')) return false;
    for (size_t i = 0; i < digits; i++) value = value * 10 + (uint64_t)((*at)[i] - '0');
    *at += digits;
    *number = value;
    return true;
}

static bool read_int(const char **at, int least, int most, int *number) {
    uint64_t value;
    if (!read_number(at, &value) || value < (uint64_t)least || value > (uint64_t)most) return false;
    *number = (int)value;
    return true;
}

/* "4.202 us" */
static bool read_time(const char **at, uint64_t *ns) {
    uint64_t whole;
    if (!read_number(at, &whole) || !read_literal(at, ".") || strspn(*at, "0123456789") != 3) return false;
    *ns = whole * 1000;
    for (uint64_t unit = 100; unit > 0; unit /= 10) *ns += unit * (uint64_t)(*(*at)++ - '0');
    return read_literal(at, " us");
}

/* Copies bytes into a text of `room` bytes, when they fit and there are any. */
static bool take(const char **at, size_t length, char *out, size_t room) {
    if (length == 0 || length >= room) return false;
    memcpy(out, *at, length);
    out[length] = '\0';
    *at += length;
    return true;
}

/* The public row of that name and kind; NULL: no row has them. */
static const jr_algorithm_row *find_row(const char *name, jr_job_kind kind) {
    const jr_algorithm_row *row;
    for (size_t i = 0; (row = jr_algorithms_get(i)) != NULL; i++)
        if (row->kind == kind && row->algorithm != JR_ALGORITHM_AUTO && strcmp(row->name, name) == 0) return row;
    return NULL;
}

/* "estimate", or an algorithm and its tuning. */
static bool read_tuning(const char **at, jr_wisdom_entry *entry) {
    char name[32];
    if (read_literal(at, "estimate;")) return true;
    if (!take(at, strcspn(*at, ",\n"), name, sizeof name)) return false;
    const jr_algorithm_row *row = find_row(name, jr_work_job_kind(entry->work));
    if (row == NULL) return false;
    entry->algorithm = row->algorithm;
    if (!read_literal(at, ", unroll ") || !read_int(at, 1, JR_UNROLL_MAX, &entry->unroll) ||
        !read_literal(at, ", block ") || !read_int(at, JR_BLOCK_STEP, JR_BLOCK_MAX, &entry->block) ||
        entry->block % JR_BLOCK_STEP != 0)
        return false;
    if (read_literal(at, ", "))
        return read_int(at, 1, JR_BLOCKS_PER_MULTIPROCESSOR_MAX, &entry->blocks_per_multiprocessor) &&
               read_literal(at, " blocks a multiprocessor;");
    return read_literal(at, ";");
}

/* Reads the line of a tunable: the work up to a colon, then "BLOCK=256,UF=4; 3.012 us, preferred 4.101 us". */
static bool read_setting(const char **at, jr_wisdom_entry *entry) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=,-. ";
    entry->count = 1;
    return take(at, strspn(*at, letters), entry->work, sizeof entry->work) && read_literal(at, ": ") &&
           take(at, strcspn(*at, ";\n"), entry->setting, sizeof entry->setting) && read_literal(at, "; ") &&
           read_time(at, &entry->time_ns) && read_literal(at, ", preferred ") && read_time(at, &entry->estimate_ns) &&
           read_literal(at, "\n");
}

static bool read_entry(const char **at, jr_wisdom_entry *entry) {
    *entry = (jr_wisdom_entry){0};
    if (jr_work_is_tunable(*at)) return read_setting(at, entry);
    const char *const end = strstr(*at, ", "); /* no work has a comma before a blank */
    return end != NULL && strspn(*at, "abcdefghijklmnopqrstuvwxyz0123456789_=, ") >= (size_t)(end - *at) &&
           take(at, (size_t)(end - *at), entry->work, sizeof entry->work) && read_literal(at, ", ") &&
           read_number(at, &entry->count) && entry->count > 0 && read_literal(at, " elements: ") &&
           read_tuning(at, entry) && read_literal(at, " ") && read_time(at, &entry->time_ns) &&
           read_literal(at, ", estimate ") && read_time(at, &entry->estimate_ns) && read_literal(at, "\n");
}

static bool read_machine(const char **at, jr_machine *machine) {
    *machine = (jr_machine){0};
    for (int field = 0; field < JR_MACHINE_FIELD_COUNT; field++)
        if (!read_literal(at, jr_machine_field_name((jr_machine_field)field)) || !read_literal(at, " ") ||
            !take(at, strcspn(*at, "\n"), machine->values[field], JR_MACHINE_VALUE_BYTES) || !read_literal(at, "\n"))
            return false;
    return true;
}

static jr_status fail_line(const char *text, const char *at, const char *what) {
    size_t line = 1;
    for (; text < at; text++) line += *text == '\n';
    return jr_fail(JR_ERROR_WISDOM, "line %zu %s", line, what);
}

/* Reads the machine at *at and all its entries. */
static jr_status read_part(const char *text, const char **at, jr_wisdom *wisdom) {
    static const char *const twice = "is repeated or out of order";
    jr_machine machine;
    jr_wisdom_entry before, entry = {0};
    const char *begin = *at;
    if (!read_machine(at, &machine)) return fail_line(text, *at, "is not a valid description of a machine");
    if (wisdom->count > 0 && jr_machine_compare(&wisdom->parts[wisdom->count - 1].machine, &machine) >= 0)
        return fail_line(text, begin, twice);
    do {
        begin = *at;
        before = entry;
        if (!read_entry(at, &entry)) return fail_line(text, begin, "is not a valid entry");
        if (before.count > 0 && jr_wisdom_compare(&before, &entry) >= 0) return fail_line(text, begin, twice);
        const jr_status status = jr_wisdom_add(wisdom, &machine, &entry);
        if (status != JR_OK) return status;
    } while (**at != '\0' && strncmp(*at, "device ", strlen("device ")) != 0);
    return JR_OK;
}

/* Steps over the first line but its end. */
static bool read_format(const char **at, int *format) {
    return read_literal(at, JR_WISDOM_MAGIC) && read_int(at, JR_WISDOM_FORMAT_FIRST, JR_WISDOM_FORMAT, format);
}

bool jr_wisdom_is_known(const char *text) {
    int format;
    return read_format(&text, &format);
}

jr_status jr_wisdom_parse(char *text, size_t count, jr_wisdom *wisdom) {
    const size_t magic = strlen(JR_WISDOM_MAGIC);
    const char *at = text;
    jr_wisdom read = {0};
    int format = 0;
    if (strncmp(text, JR_WISDOM_MAGIC, magic) != 0) return jr_fail(JR_ERROR_WISDOM, "it is not a wisdom file");
    if (!read_format(&at, &format))
        return jr_fail(JR_ERROR_WISDOM, "its format is '%.*s', and this library reads %d to %d",
                       (int)(strspn(text + magic, "0123456789") % 20), text + magic, JR_WISDOM_FORMAT_FIRST,
                       JR_WISDOM_FORMAT);
    if (!jr_seal_cut(text, count))
        return jr_fail(JR_ERROR_WISDOM, "its checksum does not match: it was cut short or changed");
    jr_status status = read_literal(&at, "\n") ? JR_OK : jr_fail(JR_ERROR_WISDOM, "line 1 is not valid");
    while (status == JR_OK && *at != '\0') status = read_part(text, &at, &read);
    if (status == JR_OK && format_of(&read) != format)
        status = jr_fail(JR_ERROR_WISDOM, "line 1 says format %d, and its entries are of format %d", format,
                         format_of(&read));
    if (status == JR_OK)
        *wisdom = read;
    else
        jr_wisdom_free(&read);
    return status;
}
