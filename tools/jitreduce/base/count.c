/* Parses the counts of the command line, and prints them. */
#include <stdio.h>
#include <string.h>

#include "number.h"

/* Multiplies by base, times times; false on overflow. */
static bool scale(uint64_t *value, uint64_t base, uint64_t times) {
    if (*value == 0 || base == 1) return true;
    if (base == 0 && times != 0) return *value = 0, true;
    for (uint64_t i = 0; i < times; i++)
        if (__builtin_mul_overflow(*value, base, value)) return false;
    return true;
}

bool cli_count_parse(const char *text, uint64_t *count) {
    static const char suffixes[] = "kMGT";
    const char *end = text + strspn(text, "0123456789");
    uint64_t value = 0, power = 0;
    if (cli_number_parse(JR_U64, text, end, &value) != CLI_NUMBER_OK) return false;
    if (*end == '^' || *end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (exponent[strspn(exponent, "0123456789")] != '\0') return false;
        if (cli_number_parse(JR_U64, exponent, exponent + strlen(exponent), &power) != CLI_NUMBER_OK) return false;
        uint64_t base = *end == '^' ? value : 10;
        if (*end == '^') value = 1;
        if (!scale(&value, base, power)) return false;
    } else if (*end != '\0') {
        const char *suffix = strchr(suffixes, *end == 'K' ? 'k' : *end);
        bool binary = end[1] == 'i';
        if (suffix == NULL || end[1 + binary] != '\0') return false;
        if (!scale(&value, binary ? 1024 : 1000, (uint64_t)(suffix - suffixes) + 1)) return false;
    }
    *count = value;
    return true;
}

const char *cli_count_text(uint64_t count, char *text) {
    int power = 0;
    while (count >> power > 1) power++;
    if (count == UINT64_C(1) << power)
        snprintf(text, 24, "2^%d", power);
    else
        snprintf(text, 24, "%llu", (unsigned long long)count);
    return text;
}
