/* Looks up embedded sources. */
#include "sources.h"

#include <stdbool.h>
#include <string.h>

const char *jr_sources_find(const char *name) {
    for (size_t i = 0; i < jr_embedded_source_count; i++)
        if (strcmp(jr_embedded_sources[i].name, name) == 0) return jr_embedded_sources[i].text;
    return NULL;
}

const uint8_t *jr_sources_digest(const char *text) {
    static _Atomic size_t follows; /* what follows the last one found: keys ask in the order of the table */
    const size_t count = jr_embedded_source_count;
    for (size_t k = 0, i = follows; k < count; k++, i++) {
        if (i >= count) i = 0;
        if (jr_embedded_sources[i].text != text) continue;
        follows = i + 1;
        return jr_embedded_sources[i].digest;
    }
    return NULL;
}

size_t jr_sources_headers(jr_named_text headers[JR_SOURCE_HEADERS_MAX]) {
    size_t count = 0;
    for (size_t i = 0; i < jr_embedded_source_count; i++) {
        const jr_embedded_source *source = &jr_embedded_sources[i];
        const char *dot = strrchr(source->name, '.');
        const bool callers = strncmp(source->name, "jitreduce/", 10) == 0; /* block_parts.c hands them on */
        if (!callers && dot != NULL && dot[1] != '\0' && strcmp(dot, ".cu") != 0)
            headers[count++] = (jr_named_text){source->name, source->text};
    }
    return count;
}
