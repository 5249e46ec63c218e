/* Reads a text in blocks: bytes after a block's last whole number or line go to the beginning of the next block. */
#include "text_input.h"

#include <stdlib.h>
#include <string.h>

#include "table_head.h"

enum { BLOCK_BYTES = 1 << 18 };

typedef struct text_block {
    char *bytes;
    size_t filled, room;
    bool last;
} text_block;

/* Reads until the block is full or the text ends. */
static cli_exit fill(cli_source *source, text_block *block, cli_error *error) {
    if (block->filled == block->room) { /* a line that is longer than the block */
        const size_t room = block->room > 0 ? 2 * block->room : BLOCK_BYTES;
        char *larger = realloc(block->bytes, room);
        if (larger == NULL)
            return cli_fail(error, CLI_FAILURE, "%s: out of memory for a line of %zu bytes", source->name, room);
        block->bytes = larger;
        block->room = room;
    }
    size_t got;
    const cli_exit code =
        cli_source_read(source, block->bytes + block->filled, block->room - block->filled, &got, error);
    if (code != CLI_OK) return code;
    block->filled += got;
    block->last = got == 0;
    return CLI_OK;
}

/* The first line of a text without --column names columns. */
static void advise_column(const cli_text *text, const char *end, cli_error *error) {
    const size_t used = strlen(error->message);
    char names[128];
    if (!text->first_word || !cli_name_columns(text->form, text->place.block, end, names, sizeof names)) return;
    snprintf(error->message + used, sizeof error->message - used, "; for a table give --column NAME, one of: %s",
             names);
}

cli_exit cli_text_read(cli_source *source, cli_text_reading *reading, cli_error *error) {
    cli_text text = cli_text_of(source->name, reading->form, reading->columns);
    text_block block = {.bytes = NULL};
    text.keys = reading->keys;
    text.words = reading->words;
    text.beyond = reading->beyond;
    text.most_elements = reading->most;
    cli_exit code = CLI_OK;
    while (code == CLI_OK && !block.last && !cli_text_full(&text)) {
        size_t taken = 0;
        code = fill(source, &block, error);
        if (code == CLI_OK) code = cli_text_take(&text, block.bytes, block.filled, block.last, &taken, error);
        if (code != CLI_OK) advise_column(&text, block.bytes + block.filled, error);
        if (code == CLI_OK && reading->after != NULL) code = reading->after(reading->user, error);
        block.filled -= taken;
        if (taken > 0) memmove(block.bytes, block.bytes + taken, block.filled);
        cli_progress_reading(reading->progress, source);
    }
    reading->wider = text.wider;
    if (reading->words && reading->beyond != NULL) {
        reading->beyond->lines.all = text.place.lines + (text.place.bytes > 0);
        reading->beyond->lines.ended = block.last;
    }
    free(block.bytes);
    return code;
}

void cli_beyond_tell(const cli_beyond *beyond) {
    const unsigned long long keyless = beyond->keyless;
    if (beyond->doubt[0] != '\0') fprintf(stderr, "jitreduce: note: %s\n", beyond->doubt);
    if (keyless > 0)
        fprintf(stderr, "jitreduce: note: %llu element%s with a missing key (--na) belong%s to no group\n", keyless,
                keyless == 1 ? "" : "s", keyless == 1 ? "s" : "");
    if (beyond->note[0] == '\0') return;
    fprintf(stderr, "jitreduce: note: %s", beyond->note);
    if (beyond->infinite > 1) fprintf(stderr, ", and %llu more", (unsigned long long)beyond->infinite - 1);
    fputc('\n', stderr);
}
