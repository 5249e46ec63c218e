/* Looks for divisors in --map, and for zeros among what they name. */
#include "division.h"

#include <stdio.h>
#include <string.h>

#include "ranks.h"

static bool continues_name(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.';
}

/* Whether an expression divides by an input of that letter, alone or first in brackets. */
static bool divides_by(const char *expression, char letter) {
    for (const char *at = expression; (at = strpbrk(at, "/%")) != NULL;) {
        at++;
        at += strspn(at, " \t");
        if (*at == letter && !continues_name(at[1])) return true;
    }
    return false;
}

/* The first element that is 0, or the count of all. */
static uint64_t find_zero(const char *elements, size_t bytes, uint64_t count) {
    static const char zero[8] = {0};
    uint64_t at = 0;
    while (at < count && memcmp(elements + at * bytes, zero, bytes) != 0) at++;
    return at;
}

void cli_division_note(const cli_options *options, const cli_inputs *inputs) {
    const char *map = options->spec.map;
    if (map == NULL || options->spec.where != NULL || strpbrk(map, "?.") != NULL || !cli_ranks_first(options->ranks))
        return;
    for (int i = 0; i < inputs->count; i++) {
        const jr_type_class of = jr_type_class_of(inputs->types[i]);
        if ((of != JR_CLASS_SIGNED && of != JR_CLASS_UNSIGNED) || !divides_by(map, "xyzw"[i])) continue;
        const uint64_t zero = find_zero(inputs->arrays[i], jr_type_size(inputs->types[i]), inputs->element_count);
        if (zero == inputs->element_count) continue;
        fprintf(
            stderr,
            "jitreduce: note: --map divides by %c, and element %llu of it is 0: what whole numbers give there is not "
            "defined; --type f64, or --where '%c != 0'\n",
            "xyzw"[i], (unsigned long long)zero, "xyzw"[i]);
    }
}
