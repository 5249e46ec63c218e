/* Reads a text as columns, in blocks of several sizes. CMocka's headers stand before it. */
#ifndef TEXT_BLOCKS_H
#define TEXT_BLOCKS_H

#include <stdlib.h>
#include <string.h>

#include "text/cli_text.h"

/* Gives a text to the reader in blocks of so many new bytes, each copied to its exact size, so that the address
 * sanitizer sees a step too far. */
static inline cli_exit read_blocks(cli_text *text, const char *bytes, size_t size, size_t block, cli_error *error) {
    cli_exit code = CLI_OK;
    for (size_t done = 0, there = 0; code == CLI_OK;) {
        size_t taken;
        const bool last = there == size;
        char *copy = malloc(there > done ? there - done : 1);
        assert_non_null(copy);
        memcpy(copy, bytes + done, there - done);
        code = cli_text_take(text, copy, there - done, last, &taken, error);
        free(copy);
        done += taken;
        if (last) break;
        there = size - there < block ? size : there + block;
    }
    return code;
}

/* Reads a text as columns; sizes of blocks must make no difference, neither to the numbers nor to what is wrong. */
static inline cli_exit read_columns(const char *bytes, const cli_table_form *form, jr_type type, cli_column *columns,
                                    cli_error *error) {
    static const size_t blocks[] = {1, 2, 7, 1 << 20};
    const int count = cli_table_columns(form);
    const size_t size = strlen(bytes);
    cli_exit code = CLI_OK;
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        cli_column again[JR_INPUTS_MAX];
        cli_error other = {.message = ""};
        if (size > 10000 && blocks[i] < 100) continue;
        for (int c = 0; c < count; c++) again[c] = cli_column_of(type);
        cli_text text = cli_text_of("t.txt", form, again);
        const cli_exit now = read_blocks(&text, bytes, size, blocks[i], &other);
        const bool first = i == 0 || size > 10000;
        if (!first) {
            assert_int_equal(now, code);
            assert_string_equal(other.message, error->message);
        }
        for (int c = 0; c < count; c++) {
            if (!first && code == CLI_OK) {
                assert_int_equal(again[c].vector.type, columns[c].vector.type);
                assert_int_equal(again[c].vector.used, columns[c].vector.used);
                if (again[c].vector.used > 0)
                    assert_memory_equal(again[c].vector.bytes, columns[c].vector.bytes, again[c].vector.used);
            }
            if (!first) cli_column_free(&columns[c]);
            columns[c] = again[c];
        }
        code = now;
        *error = other;
    }
    return code;
}

#endif
