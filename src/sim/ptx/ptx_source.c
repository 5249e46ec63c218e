/* Source lines: .file and .loc give the source of the instructions that follow them.
 *
 * A .loc applies up to the next one or to the next function. A .file may follow its first use, so names are looked up
 * only on request. A malformed directive is skipped: no kernel depends on it. Source: PTX ISA, "Debugging
 * Directives". */
#include "ptx_source.h"

#include <stdio.h>
#include <string.h>

#include "sim_text.h"

enum { NUMBER_MAX = 1 << 30, PLACES_FIRST = 64, NAME_CHARS_MAX = 100 };

/* What is left of a line; taken from the front. */
typedef struct rest {
    const char *at, *end;
} rest;

static bool take_number(rest *line, uint32_t *number) {
    int found;
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t')) line->at++;
    if (line->at == line->end || !jrs_text_number(&line->at, NUMBER_MAX, &found)) return false;
    *number = (uint32_t)found;
    return true;
}

static rest rest_of_line(const jrs_parser *parser) {
    const char *end = memchr(parser->at, '\n', (size_t)(parser->end - parser->at));
    return (rest){parser->at, end ? end : parser->end};
}

static void add_place(jrs_parser *parser, const jrs_place *place) {
    jrs_sources *sources = &parser->module->sources;
    if (sources->place_count == sources->place_capacity) {
        const uint32_t larger = sources->place_capacity ? sources->place_capacity * 2 : PLACES_FIRST;
        sources->places =
            jrs_parse_grow(parser, sources->places, sources->place_count * sizeof *place, larger * sizeof *place);
        sources->place_capacity = larger;
    }
    sources->places[sources->place_count++] = *place;
}

/* Where the call stands that this code was inlined for: ", inlined_at FILE LINE COLUMN". */
static void read_inlined(rest line, jrs_place *place) {
    static const char word[] = "inlined_at";
    const size_t bytes = sizeof word - 1;
    for (; (size_t)(line.end - line.at) > bytes; line.at++) {
        if (memcmp(line.at, word, bytes) != 0) continue;
        line.at += bytes;
        if (take_number(&line, &place->outer_file) && take_number(&line, &place->outer_line)) return;
        place->outer_file = 0;
        return;
    }
}

void jrs_source_loc(jrs_parser *parser) {
    rest line = rest_of_line(parser);
    jrs_place place = {.from = parser->line + 1};
    if (!take_number(&line, &place.file) || !take_number(&line, &place.line)) return;
    read_inlined(line, &place);
    add_place(parser, &place);
}

void jrs_source_end(jrs_parser *parser) {
    const uint32_t count = parser->module->sources.place_count;
    if (count == 0 || parser->module->sources.places[count - 1].file == 0) return;
    const jrs_place none = {.from = parser->line};
    add_place(parser, &none);
}

void jrs_source_file(jrs_parser *parser) {
    rest line = rest_of_line(parser);
    jrs_source_name found = {0};
    if (!take_number(&line, &found.number)) return;
    const char *open = memchr(line.at, '"', (size_t)(line.end - line.at));
    const char *close = open ? memchr(open + 1, '"', (size_t)(line.end - open - 1)) : NULL;
    if (!close) return;
    for (found.text = open + 1; open < close; open++)
        if (*open == '/') found.text = open + 1;
    const size_t bytes = (size_t)(close - found.text);
    found.bytes = bytes < NAME_CHARS_MAX ? (uint32_t)bytes : NAME_CHARS_MAX;
    jrs_source_name *kept = jrs_parse_take(parser, sizeof *kept);
    *kept = found;
    kept->next = parser->module->sources.names;
    parser->module->sources.names = kept;
}

/* ---- asking ---- */

/* The last place that begins at the line or before it; NULL when all begin later. */
static const jrs_place *find_place(const jrs_sources *sources, uint32_t ptx_line) {
    uint32_t low = 0, high = sources->place_count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (sources->places[middle].from <= ptx_line)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && sources->places[low - 1].file != 0 ? &sources->places[low - 1] : NULL;
}

static size_t print_place(const jrs_sources *sources, uint32_t file, uint32_t line, char *out, size_t bytes) {
    const jrs_source_name *name = sources->names;
    while (name && name->number != file) name = name->next;
    if (!name) return (size_t)snprintf(out, bytes, "file %u:%u", file, line);
    return (size_t)snprintf(out, bytes, "%.*s:%u", (int)name->bytes, name->text, line);
}

const char *jrs_source_line(const jrs_module *module, uint32_t ptx_line, char out[JRS_SOURCE_BYTES]) {
    const jrs_place *place = find_place(&module->sources, ptx_line);
    size_t used = 0;
    if (place) {
        used = print_place(&module->sources, place->file, place->line, out, JRS_SOURCE_BYTES);
        if (place->outer_file != 0) {
            used += (size_t)snprintf(out + used, JRS_SOURCE_BYTES - used, " inlined at ");
            used += print_place(&module->sources, place->outer_file, place->outer_line, out + used,
                                JRS_SOURCE_BYTES - used);
        }
        used += (size_t)snprintf(out + used, JRS_SOURCE_BYTES - used, ", ");
    }
    snprintf(out + used, JRS_SOURCE_BYTES - used, "PTX line %u", ptx_line);
    return out;
}
