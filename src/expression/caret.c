/* Writes an expression and the caret below it. */
#include "caret.h"

void jr_caret_append(jr_text *out, const char *expression, size_t length, size_t column) {
    jr_text_append(out, "  ");
    for (size_t i = 0; i < length; i++) {
        const char byte = expression[i];
        jr_text_append_bytes(out, byte >= ' ' && byte <= '~' ? &byte : "?", 1);
    }
    jr_text_append(out, "\n  %*s\n", (int)column + 1, "^");
}
