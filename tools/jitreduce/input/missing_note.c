/* A sum of NaNs is NaN, which anyone sees; what a NaN counts as, and which index is the first, no result shows. */
#include "missing_note.h"

#include <stdio.h>
#include <string.h>

/* What an operator takes a NaN for; NULL: its result is NaN, too. */
static const char *meaning_of(jr_op op) {
    switch (op) {
    case JR_OP_COUNT_NONZERO: return "count_nonzero counts";
    case JR_OP_ANY: return "any takes as true";
    case JR_OP_ALL: return "all takes as true";
    case JR_OP_ARGMIN: return "argmin takes for the least";
    case JR_OP_ARGMAX: return "argmax takes for the greatest";
    default: return NULL;
    }
}

static bool compares(const char *expression) {
    return expression != NULL && strpbrk(expression, "<>=!?") != NULL;
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

/* Values that were read as NaN. A comparison with a NaN is false, as it should be for a missing value, but for !=. */
static void note_values(const cli_options *options, uint64_t count) {
    const char *where = options->spec.where, *meaning = NULL;
    if (options->spec.nan == JR_NAN_IGNORE || count == 0) return;
    for (int i = 0; i < options->op_count && meaning == NULL; i++) meaning = meaning_of(options->ops[i]);
    if (options->counts) meaning = "count counts";
    const bool selected = compares(where) && options->table.column_count <= 1;
    if (meaning != NULL && !compares(options->spec.map) && !selected)
        fprintf(stderr,
                "jitreduce: note: %llu missing value%s %s nan, which %s: --nan ignore leaves out the values, --missing "
                "skip their lines\n",
                (unsigned long long)count, plural(count), count == 1 ? "is" : "are", meaning);
    else if (where != NULL && strstr(where, "isnan") == NULL && (!compares(where) || strchr(where, '!') != NULL))
        fprintf(
            stderr,
            "jitreduce: note: %llu missing value%s %s nan, for which --where may be true: --missing skip leaves out "
            "the lines\n",
            (unsigned long long)count, plural(count), count == 1 ? "is" : "are");
}

/* Lines or words that are not among the elements. */
static void note_index(const cli_options *options, uint64_t count) {
    const char *index = options->table.uses_index ? "i" : NULL;
    for (int i = 0; i < options->op_count && index == NULL; i++)
        if (options->ops[i] == JR_OP_ARGMIN || options->ops[i] == JR_OP_ARGMAX) index = jr_op_name(options->ops[i]);
    if (count > 0 && index != NULL)
        fprintf(
            stderr,
            "jitreduce: note: %s counts the elements that are kept: %llu with a missing value or key %s left out%s\n",
            index, (unsigned long long)count, count == 1 ? "is" : "are",
            options->table.skips_missing ? "; without --missing skip, and with --nan ignore, it counts all" : "");
}

void cli_note_missing(const cli_options *options, const cli_beyond *beyond) {
    note_values(options, beyond->missing);
    note_index(options, beyond->left_out + beyond->keyless);
    if (beyond->blank > 0)
        fprintf(stderr, "jitreduce: note: %llu blank line%s %s left out; --na '' reads %s as missing\n",
                (unsigned long long)beyond->blank, plural(beyond->blank), beyond->blank == 1 ? "is" : "are",
                beyond->blank == 1 ? "it" : "them");
}
