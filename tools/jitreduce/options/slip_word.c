/* Finds out what was meant by a word that an option does not take. */
#include "slip_word.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/suggest.h"

/* Words of other programs, and the word of the option. */
static const struct {
    const char *option, *typed, *meant;
} others[] = {
    {"nan", "skip drop omit remove exclude yes true na.rm skipna", "ignore"},
    {"nan", "keep include no false", "propagate"},
    {"accuracy", "high strict precise full best kahan", "exact"},
    {"accuracy", "deterministic stable repeatable bitwise", "reproducible"},
    {"accuracy", "low normal quick default", "fast"},
    {"header", "true 1 y on first", "yes"},
    {"header", "false 0 n off none", "no"},
    {"header", "infer detect", "auto"},
    {"missing", "drop ignore omit remove", "skip"},
    {"empty-groups", "no false skip omit remove", "drop"},
    {"empty-groups", "yes true", "keep"},
    {"key-type", "str string", "text"},
    {"format", "binary bin f32 f64 float32 float64", "raw"},
    {"format", "numpy", "npy"},
    {"format", "npz gz zst", "auto"},
    {"mode", "cuda-graph graphs", "graph"},
    {"mode", "call host", "latency"},
    {"shared", "no none off 0", "auto"},
};

/* What no word does, and what does it. */
static const struct {
    const char *option, *typed, *way;
} ways[] = {
    {"format", "csv tsv table", "a table is read by --column, written by --csv"},
    {"format", "json parquet arrow hdf5 xlsx excel", "other programs write these as .npy or .csv"},
    {"accuracy", "f64 double", "--accumulate f64 adds in f64"},
    {"missing", "0 zero", "with nan, --map 'isnan(x) ? 0 : x' takes a missing value as 0"},
    {"missing", "mean median interpolate", "values are not filled in; skip leaves them out"},
};

static bool is_listed(const char *words, const char *typed) {
    for (const char *word = words; *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        if (length == strlen(typed) && strncasecmp(word, typed, length) == 0) return true;
        word += length;
    }
    return false;
}

static const char *find_way(const char *option, const char *typed) {
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(option, ways[i].option) == 0 && is_listed(ways[i].typed, typed)) return ways[i].way;
    if (strcmp(option, "format") != 0) return NULL;
    return cli_is_digit(typed[0]) ? "a column is --column or -k" : NULL;
}

cli_exit cli_slip_word(const char *option, const char *typed, const char *words, cli_error *error) {
    char hint[CLI_HINT_BYTES];
    const char *way = find_way(option, typed);
    words += strspn(words, " ");
    if (way != NULL) return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of %s; %s", option, typed, words, way);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(option, others[i].option) == 0 && is_listed(others[i].typed, typed))
            return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of %s; did you mean '%s'?", option, typed, words,
                            others[i].meant);
    return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of %s%s", option, typed, words,
                    cli_hint(typed, words, hint));
}
