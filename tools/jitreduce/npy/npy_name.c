/* Names of fields in .npy headers, as UTF-8. */
#include "npy_name.h"

#include <string.h>

#include "base/cli_error.h"

void cli_npy_name_read(const cli_npy_cursor *in, const char *begin, const char *end, cli_npy_name *name) {
    size_t length = 0, high = 0;
    name->text = begin;
    name->length = (size_t)(end - begin);
    for (const char *at = begin; at < end; at++) high += (unsigned char)*at >= 0x80;
    if (!in->latin1 || high == 0 || name->length + high > sizeof name->room) return;
    for (const char *at = begin; at < end; at++) {
        const unsigned char c = (unsigned char)*at;
        if (c >= 0x80) name->room[length++] = (char)(0xc0 | c >> 6);
        name->room[length++] = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    name->text = name->room;
    name->length = length;
}

/* Whether a terminal would take a byte, or the pair that begins there, as a control character. */
static bool is_control(const char *at, const char *end) {
    const unsigned char c = (unsigned char)at[0], next = at + 1 < end ? (unsigned char)at[1] : 0;
    return c < 0x20 || c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0);
}

const char *cli_npy_name_show(const cli_npy_name *name, char *buffer) {
    const char *end = name->text + name->length;
    bool plain = name->length < 64;
    for (const char *at = name->text; at < end; at++) plain &= !is_control(at, end);
    if (!plain) return cli_quote(name->text, end, buffer);
    memcpy(buffer, name->text, name->length);
    buffer[name->length] = '\0';
    return buffer;
}
