/* Pieces of PTX text: as messages show them, and numbers. */
#include "sim_text.h"

#include <ctype.h>
#include <string.h>

void jrs_text_collapse(char out[JRS_TEXT_BYTES], const char *text, size_t bytes) {
    size_t used = 0;
    for (size_t i = 0; i < bytes; i++) {
        char c = isspace((unsigned char)text[i]) ? ' ' : text[i];
        if (c == ' ' && (used == 0 || out[used - 1] == ' ')) continue;
        if (used == JRS_TEXT_BYTES - 4) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        out[used++] = c;
    }
    while (used && out[used - 1] == ' ') used--;
    out[used] = '\0';
}

bool jrs_text_number(const char **text, int most, int *number) {
    const char *at = *text;
    int sum = 0;
    for (; isdigit((unsigned char)*at); at++) {
        const int digit = *at - '0';
        sum = sum > (most - digit) / 10 ? most : sum * 10 + digit;
    }
    if (at == *text) return false;
    *text = at;
    *number = sum;
    return true;
}
