/* Compares two records of a history. All lines that differ are reported, as far as they fit; those that follow from
 * others only where nothing else differs. */
#include "history_report.h"

#include <stdio.h>
#include <string.h>

/* How a change is reported. */
typedef struct kind_row {
    const char *kind;
    const char *words;  /* before the name */
    const char *quotes; /* around its values; NULL: they are digests, which are not shown */
    bool follows;
} kind_row;

static const kind_row kinds[] = {
    {"library", "jitreduce", "'", false},
    {"architecture", "architecture", "'", false},
    {"NVRTC", "NVRTC", "'", false},
    {"source", "its source", NULL, false},
    {"request", "", "", false},    /* of a built-in program: what the caller asks for */
    {"consequence", "", "", true}, /* of a built-in program: what comes of it */
    {"constant", "constant", "'", false},
    {"options", "its options", "'", false},
    {"debug", "debug information", "'", false},
    {"choice", "its NVRTC options", "'", true}, /* of a built-in program */
    {"header", "header", NULL, false},
    {"struct", "the struct", NULL, false},                                     /* of a built-in program */
    {"expressions", "the types or parameters of its expressions", NULL, true}, /* of a built-in program */
};

/* The fields of a line; their lengths, since the text stays whole. */
typedef struct line {
    const char *kind, *name, *value;
    int kind_length, name_length, value_length;
} line;

/* False at the end of the text, and for what is not a line. */
static bool read_line(const char *at, line *read) {
    read->kind_length = (int)strcspn(at, "\t\n");
    if (at[read->kind_length] != '\t') return false;
    *read = (line){.kind = at, .kind_length = read->kind_length, .name = at + read->kind_length + 1};
    read->name_length = (int)strcspn(read->name, "\t\n");
    if (read->name[read->name_length] != '\t') return false;
    read->value = read->name + read->name_length + 1;
    read->value_length = (int)strcspn(read->value, "\n");
    return true;
}

/* Finds a text's line with the kind and name of this one. */
static bool find_line(const char *text, const line *wanted, line *found) {
    const int length = wanted->kind_length + 1 + wanted->name_length + 1;
    for (; *text != '\0'; text += strcspn(text, "\n"), text += *text == '\n')
        if (strncmp(text, wanted->kind, (size_t)length) == 0) return read_line(text, found);
    return false;
}

static const kind_row *find_kind(const line *of) {
    static const kind_row unknown = {"", "something", NULL, false};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(kinds[i].kind, of->kind, (size_t)of->kind_length) == 0 && kinds[i].kind[of->kind_length] == '\0')
            return &kinds[i];
    return &unknown;
}

/* The reason as it grows, and how many differences did not fit. */
typedef struct report {
    char *reason;
    size_t length;
    int more, count;
} report;

static const char last_words[] = " since its last compile", earlier_words[] = " since an earlier compile";

enum { PIECE_BYTES = 224, REPORT_END_BYTES = sizeof earlier_words + sizeof ", and 100000 more" };

static bool has_room(const report *to, const char *piece) {
    return to->more == 0 && to->length + sizeof ", " + strlen(piece) + REPORT_END_BYTES <= JR_COMPILED_BECAUSE_BYTES;
}

static void add_piece(report *to, const char *piece) {
    const size_t length = strlen(piece), comma = to->length > 0 ? 2 : 0;
    to->count++;
    if (!has_room(to, piece)) {
        to->more++;
        return;
    }
    memcpy(to->reason + to->length, ", ", comma);
    memcpy(to->reason + to->length + comma, piece, length + 1);
    to->length += comma + length;
}

static void end_report(report *to, bool last) {
    char more[32] = "";
    if (to->more > 0) snprintf(more, sizeof more, ", and %d more", to->more > 99999 ? 99999 : to->more);
    snprintf(to->reason + to->length, JR_COMPILED_BECAUSE_BYTES - to->length, "%s%s", more,
             last ? last_words : earlier_words);
}

/* A long name, which is a path, has its end. */
static void name_line(const line *of, char name[PIECE_BYTES]) {
    enum { NAME_CHARS_MAX = 120, NAME_MOST_WITH_VALUES = 44 };
    const kind_row *kind = find_kind(of);
    const int most = kind->quotes == NULL ? NAME_CHARS_MAX : NAME_MOST_WITH_VALUES;
    const int cut = of->name_length > most ? of->name_length - most : 0;
    snprintf(name, PIECE_BYTES, "%s%s%s%.*s", kind->words, *kind->words != '\0' && of->name_length > 0 ? " " : "",
             cut > 0 ? "..." : "", of->name_length - cut, of->name + cut);
}

/* Whether two values are the same but for blanks, which a caller does not see as another text. */
static bool only_blanks_differ(const line *before, const line *now) {
    const char *a = before->value, *b = now->value, *a_end = a + before->value_length, *b_end = b + now->value_length;
    while (a < a_end || b < b_end) {
        if (a < a_end && *a == ' ')
            a++;
        else if (b < b_end && *b == ' ')
            b++;
        else if (a == a_end || b == b_end || *a++ != *b++)
            return false;
    }
    return true;
}

static void add_change(const line *before, const line *now, report *to) {
    const char *quotes = find_kind(now)->quotes;
    char name[PIECE_BYTES], piece[2 * PIECE_BYTES];
    name_line(now, name);
    if (quotes != NULL && only_blanks_differ(before, now))
        snprintf(piece, sizeof piece, "%s has other blanks (%s%.*s%s)", name, quotes, now->value_length, now->value,
                 quotes);
    else if (quotes != NULL)
        snprintf(piece, sizeof piece, "%s changed from %s%.*s%s to %s%.*s%s", name, quotes, before->value_length,
                 before->value, quotes, quotes, now->value_length, now->value, quotes);
    if (quotes == NULL || (to->length == 0 && !has_room(to, piece))) /* the first one is named in any case */
        snprintf(piece, sizeof piece, "%s changed", name);
    add_piece(to, piece);
}

static void add_presence(const line *of, const char *presence, report *to) {
    char name[PIECE_BYTES], piece[2 * PIECE_BYTES];
    name_line(of, name);
    snprintf(piece, sizeof piece, "%s %s", name, presence);
    add_piece(to, piece);
}

/* Adds what differs in the lines of one text from those of the other. */
static void compare_lines(const char *before, const char *now, bool follows, report *to) {
    line old, made;
    for (; *now != '\0'; now += strcspn(now, "\n"), now += *now == '\n') {
        if (!read_line(now, &made) || find_kind(&made)->follows != follows) continue;
        if (!find_line(before, &made, &old))
            add_presence(&made, "is new", to);
        else if (old.value_length != made.value_length || memcmp(old.value, made.value, (size_t)made.value_length) != 0)
            add_change(&old, &made, to);
    }
}

static void find_gone(const char *before, const char *now, bool follows, report *to) {
    line old, made;
    for (; *before != '\0'; before += strcspn(before, "\n"), before += *before == '\n')
        if (read_line(before, &old) && find_kind(&old)->follows == follows && !find_line(now, &old, &made))
            add_presence(&old, "is gone", to);
}

static void compare(const char *before, const char *now, bool follows, report *to) {
    compare_lines(before, now, follows, to);
    find_gone(before, now, follows, to);
}

/* What follows from other differences is named only without those, but counts: a text that differs in less is nearer.
 */
int jr_history_compare(const char *before, const char *now, bool last, char reason[JR_COMPILED_BECAUSE_BYTES]) {
    char unused[JR_COMPILED_BECAUSE_BYTES];
    report to = {.reason = reason}, follows = {.reason = unused};
    if (strcmp(before, now) == 0) return 0;
    compare(before, now, false, &to);
    compare(before, now, true, to.count > 0 ? &follows : &to);
    if (to.count == 0) add_piece(&to, "the order of its headers changed");
    end_report(&to, last);
    return to.count + follows.count;
}
