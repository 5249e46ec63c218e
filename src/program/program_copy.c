/* Copies programs: once to find the size, once into the block. */
#include "program_copy.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sources.h"

typedef struct block {
    char *start; /* NULL: sizes are only added up */
    size_t bytes;
} block;

static void *put(block *to, const void *from, size_t bytes) {
    enum { ALIGNMENT = 8 };
    to->bytes = (to->bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    void *at = to->start != NULL ? to->start + to->bytes : NULL;
    if (at != NULL && bytes > 0) memcpy(at, from, bytes);
    to->bytes += bytes;
    return at;
}

static const char *put_text(block *to, const char *text) {
    return text != NULL ? put(to, text, strlen(text) + 1) : NULL;
}

static const jr_named_text *put_named(block *to, const jr_named_text *list, size_t count) {
    if (list == NULL) return NULL;
    jr_named_text *copies = put(to, list, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const bool embedded = jr_sources_digest(list[i].text) != NULL;
        const jr_named_text copy = {put_text(to, list[i].name), embedded ? list[i].text : put_text(to, list[i].text)};
        if (copies != NULL) copies[i] = copy;
    }
    return copies;
}

static const char *const *put_texts(block *to, const char *const *list, size_t count) {
    if (list == NULL) return NULL;
    const char **copies = put(to, list, count * sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const char *copy = put_text(to, list[i]);
        if (copies != NULL) copies[i] = copy;
    }
    return copies;
}

static void put_program(block *to, const jr_program *program) {
    jr_program copy = *program;
    jr_program *at = put(to, program, sizeof *program);
    copy.name = put_text(to, program->name);
    copy.source = put_text(to, program->source);
    copy.entry = put_text(to, program->entry);
    copy.constants = put_named(to, program->constants, program->constant_count);
    copy.headers = put_named(to, program->headers, program->header_count);
    copy.options = put_texts(to, program->options, program->option_count);
    copy.include_folders = put_texts(to, program->include_folders, program->include_folder_count);
    if (at != NULL) *at = copy;
}

jr_status jr_program_copy(const jr_program *program, jr_program **copy) {
    block to = {NULL, 0};
    put_program(&to, program);
    to = (block){malloc(to.bytes), 0};
    if (to.start == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory for a copy of program %s", program->name);
    put_program(&to, program);
    *copy = (jr_program *)(void *)to.start;
    return JR_OK;
}
