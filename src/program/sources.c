/* Looks up embedded sources. */
#include "sources.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *name, const void *source) {
    return strcmp(name, ((const jr_embedded_source *)source)->name);
}

static const jr_embedded_source *find(const char *name) {
    return bsearch(name, jr_embedded_sources, jr_embedded_source_count, sizeof *jr_embedded_sources, compare);
}

const char *jr_sources_find(const char *name) {
    const jr_embedded_source *source = find(name);
    return source != NULL ? source->text : NULL;
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

size_t jr_sources_headers(const char *name, jr_named_text headers[JR_SOURCE_HEADERS_MAX]) {
    const jr_embedded_source *source = find(name);
    const size_t count = source != NULL ? source->count : 0;
    for (size_t i = 0; i < count; i++) {
        const jr_embedded_source *header = &jr_embedded_sources[jr_embedded_includes[source->first + i]];
        headers[i] = (jr_named_text){header->name, header->text};
    }
    return count;
}
