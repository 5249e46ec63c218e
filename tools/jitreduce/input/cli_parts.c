/* Opens the files of the command line, and recognises what they are. */
#include "cli_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "early.h"
#include "io/kind.h"
#include "npy/npy_header.h"
#include "npy/npz.h"
#include "options/option_take.h"

/* An item of a structured type that is longer is read with all others. */
enum { ITEM_BYTES_MAX = 1 << 16 };

char *const *cli_files_of(const cli_options *options) {
    static char standard[] = "-";
    static char *const only_standard[] = {standard};
    return options->file_count ? options->files : only_standard;
}

/* A file of another kind than those that are read would be a text full of faults. */
static cli_exit check_kind(const cli_source *source, cli_error *error) {
    const char *kind = cli_file_kind(source->ahead, source->ahead_bytes);
    if (kind == NULL) return CLI_OK;
    return cli_fail(error, CLI_FAILURE, "%s: is %s, which is not read%s", source->name, kind, cli_file_advice(kind));
}

/* Elements from the first of the file on that are looked at; 0: all. */
static uint64_t wanted_elements(const cli_options *options) {
    uint64_t end;
    if (options->count == UINT64_MAX || __builtin_add_overflow(options->offset, options->count, &end)) return 0;
    return end;
}

/* Maps a file, or reads all of it. */
static cli_exit read_bytes(const cli_options *options, cli_source *source, cli_bytes *bytes, cli_error *error) {
    const cli_exit code = cli_bytes_read(source, cli_early_check, options, bytes, error);
    bytes->field = options->field;
    bytes->wanted = wanted_elements(options);
    return code;
}

/* Looks at the header of an array, or makes that of a raw file; what is in order then streams. */
static cli_exit look_at_header(const cli_options *options, cli_part *part, cli_error *error) {
    const jr_type type = options->spec.type;
    cli_npy_header *header = &part->header;
    cli_bytes ahead = {.name = part->source.name, .field = options->field};
    part->streams = true;
    *header = (cli_npy_header){.item_bytes = type == JR_STRUCT ? options->structure.bytes : jr_type_size(type),
                               .count = UINT64_MAX};
    if (part->format == CLI_FORMAT_RAW) return CLI_OK;
    cli_exit code = CLI_OK;
    size_t wanted = 1;
    do {
        code = cli_source_look(&part->source, wanted, error);
        ahead.data = part->source.ahead;
        ahead.size = part->source.ahead_bytes;
        wanted = cli_npy_header_bytes(&ahead);
    } while (code == CLI_OK && ahead.size < wanted && !part->source.ended);
    if (code == CLI_OK) code = cli_npy_header_parse(&ahead, header, error);
    part->streams = header->item_bytes <= ITEM_BYTES_MAX;
    return code;
}

/* What can be read in blocks is left for later; the rest is read to memory. */
static cli_exit open_stream(const cli_options *options, cli_part *part, cli_bytes *bytes, cli_error *error) {
    const cli_exit code = look_at_header(options, part, error);
    return code == CLI_OK && !part->streams ? read_bytes(options, &part->source, bytes, error) : code;
}

/* An archive's directory stands at its end: all of it is mapped, or read. Its array is the one that the name, or
 * nothing else, says. */
static cli_exit open_archive(const cli_options *options, cli_part *part, const char *name, cli_error *error) {
    cli_npz_member found;
    cli_exit code = read_bytes(options, &part->source, &part->bytes, error);
    if (code != CLI_OK) return code;
    part->bytes.name = name;
    code = cli_npz_find(&part->bytes, part->path != NULL ? cli_npz_member_name(name) : NULL, &found, error);
    if (code != CLI_OK) return code;
    part->member = found.bytes;
    if (!found.deflated) return CLI_OK;
    cli_source_close(&part->source);
    code = cli_source_open_member(&found.packed, &part->source, error);
    return code == CLI_OK ? open_stream(options, part, &part->member, error) : code;
}

/* A header taken for structs would give garbage. */
static cli_exit fail_structs(const cli_part *part, const cli_bytes *ahead, cli_error *error) {
    return cli_fail(error, CLI_FAILURE,
                    "%s: is %s, but structs are read raw: in Python, array.tofile(name) writes the elements without a "
                    "header; --format raw reads all bytes of this file as structs",
                    part->source.name, cli_npz_recognise(ahead) ? "a zip archive" : "an .npy file");
}

static cli_exit fail_table(const cli_options *options, const cli_part *part, const cli_bytes *ahead, cli_error *error) {
    const bool archive = cli_npz_recognise(ahead), array = !archive && cli_npy_recognise(ahead);
    const char *kind = archive ? "is a zip archive; unzip -p unpacks it into a pipe"
                       : array ? "is an .npy file by its first bytes"
                               : "is taken for an .npy file by its name: --format text reads it";
    const cli_column_name *first = &options->table.columns[0];
    if (first->option != NULL)
        return cli_fail(
            error, CLI_USAGE,
            "the %s expression has '%.*s', which it does not know: it may be a column of a table, but %s %s",
            first->option, (int)first->length, first->name, part->source.name, kind);
    if (array && options->op_calls != NULL)
        return cli_fail(error, CLI_USAGE, "--op: '%s' names columns, but %s %s: --op sum, and an expression is --map's",
                        options->op_calls, part->source.name, kind);
    return cli_fail(error, CLI_USAGE, "--column: is for text, but %s %s%s", part->source.name, kind,
                    array ? ": leave --column out" : "");
}

/* What says how a text or an array is read must find one; with other inputs it may be for those. */
static cli_exit check_form(const cli_options *options, const cli_part *part, bool text, cli_error *error) {
    const cli_table_form *form = &options->table;
    const bool of_keys = (options->group_by != NULL || options->keys != NULL) &&
                         form->key_count == 0; /* --na is for the file of keys, too */
    const bool alone = options->file_count < 2 && options->more_files[1] == NULL;
    const char *option = form->decimal_comma                 ? "decimal"
                         : form->thousands                   ? "thousands"
                         : form->skip_lines                  ? "skip-lines"
                         : form->missing != NULL && !of_keys ? "na"
                                                             : NULL;
    if (alone && text && options->field != NULL)
        return cli_fail(error, CLI_USAGE, "--field: is for .npy files, but %s is text", part->source.name);
    if (!alone || text || option == NULL) return CLI_OK;
    return cli_fail(error, CLI_USAGE, "--%s: is for text, but %s is not", option, part->source.name);
}

/* Opens a part. It reads only the beginning of a text or a stream, since other files may determine its type. */
static cli_exit open_part(const cli_options *options, cli_part *part, const char *name, cli_error *error) {
    const cli_bytes ahead = {.name = part->source.name, .data = part->source.ahead, .size = part->source.ahead_bytes};
    part->format = cli_format_recognise(&ahead, options->format);
    const bool text = part->format == CLI_FORMAT_TEXT;
    if (!text && options->table.column_count > 0) return fail_table(options, part, &ahead, error);
    if (part->format == CLI_FORMAT_NPY && options->spec.type == JR_STRUCT) return fail_structs(part, &ahead, error);
    cli_exit code = check_form(options, part, text, error);
    if (code == CLI_OK && text && options->format == CLI_FORMAT_AUTO) code = check_kind(&part->source, error);
    if (text && part->source.reopens) cli_source_close(&part->source);
    if (text || code != CLI_OK) return code;
    if (part->format == CLI_FORMAT_NPY && cli_npz_recognise(&ahead))
        code = open_archive(options, part, name, error);
    else if (part->source.whole)
        code = read_bytes(options, &part->source, &part->bytes, error);
    else
        code = open_stream(options, part, &part->bytes, error);
    if (!part->streams) cli_source_close(&part->source);
    return code;
}

/* Opens a file, or the .npz file of a name like data.npz:price. */
static cli_exit open_source(cli_part *part, const char *name, cli_error *error) {
    const char *member = cli_npz_member_name(name);
    if (member == NULL) return cli_source_open(name, &part->source, error);
    part->path = strndup(name, (size_t)(member - 1 - name));
    if (part->path == NULL) return cli_fail(error, CLI_FAILURE, "%s: out of memory", name);
    return cli_source_open(part->path, &part->source, error);
}

/* Standard input is opened only once. */
cli_exit cli_parts_open(const cli_options *options, cli_part **parts, int *count, cli_error *error) {
    char *const *names = cli_files_of(options);
    const int wanted = options->file_count ? options->file_count : 1;
    int standards = 0;
    *count = 0;
    *parts = calloc((size_t)wanted, sizeof **parts);
    if (*parts == NULL) return cli_fail(error, CLI_FAILURE, "input: out of memory for %d files", wanted);
    for (int i = 0; i < wanted; i++) {
        standards += strcmp(names[i], "-") == 0;
        if (standards > 1) return cli_fail(error, CLI_USAGE, "-: standard input can be read only once");
        cli_part *part = &(*parts)[(*count)++];
        cli_exit code = open_source(part, names[i], error);
        if (code == CLI_OK) code = open_part(options, part, names[i], error);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}

const cli_bytes *cli_part_bytes(const cli_part *part) {
    return part->member.data != NULL ? &part->member : &part->bytes;
}

bool cli_parts_stream(const cli_part *parts, int count, bool in_order, bool *any) {
    for (int i = 0; i < count; i++) {
        if (parts[i].format == CLI_FORMAT_TEXT || (in_order && parts[i].header.fortran_order)) return false;
        *any |= parts[i].streams;
    }
    return true;
}

static const char *name_of(const cli_part *part) {
    return part->streams ? part->source.name : cli_part_bytes(part)->name;
}

/* An array has its type: what to do where another one is wanted. */
static cli_exit fail_type(const cli_options *options, const cli_part *parts, const cli_part *part,
                          const cli_npy_header *header, jr_type type, cli_error *error) {
    const cli_exit code = cli_npy_fail_type(name_of(part), header, type, error);
    const size_t used = strlen(error->message), room = sizeof error->message - used;
    char *end = error->message + used;
    if (header->unnamed) return code;
    if (options->format == CLI_FORMAT_KEYS)
        snprintf(end, room, "; an array has its type: leave --key-type out");
    else if (options->given[cli_option_find("type")])
        snprintf(end, room, "; an array has its type: leave --type out; %s--map-type %s converts",
                 options->spec.map == NULL ? "--map x " : "", jr_type_name(type));
    else if (part > parts)
        snprintf(end, room, ", which %s has: reduce each by itself, or convert one with NumPy", name_of(parts));
    return code;
}

cli_exit cli_parts_settle(const cli_options *options, const cli_part *parts, int count, jr_type *type,
                          cli_error *error) {
    for (int i = 0; i < count; i++) {
        cli_npy_header header = parts[i].header;
        if (parts[i].format != CLI_FORMAT_NPY) continue;
        const cli_exit code =
            parts[i].streams ? CLI_OK : cli_npy_header_parse(cli_part_bytes(&parts[i]), &header, error);
        if (code != CLI_OK) return code;
        if (*type == JR_TYPE_NONE && header.unnamed) return cli_npy_fail_unnamed(name_of(&parts[i]), &header, error);
        if (*type != JR_TYPE_NONE && !cli_npy_stands_for(&header, *type))
            return fail_type(options, parts, &parts[i], &header, *type, error);
        if (!header.unnamed) *type = header.type;
    }
    return CLI_OK;
}

void cli_parts_close(cli_part *parts, int count) {
    for (int i = 0; i < count; i++) {
        cli_data_free(&parts[i].data);
        cli_bytes_free(&parts[i].bytes);
        cli_bytes_free(&parts[i].member);
        cli_source_close(&parts[i].source);
        free(parts[i].path);
    }
    free(parts);
}

cli_exit cli_input_check_count(const cli_options *options, uint64_t elements, cli_error *error) {
    if (options->offset > elements)
        return cli_fail(error, CLI_FAILURE, "--offset: %llu elements to skip, but the input has %llu",
                        (unsigned long long)options->offset, (unsigned long long)elements);
    const uint64_t left = elements - options->offset;
    if (options->count != UINT64_MAX && options->count > left)
        return cli_fail(error, CLI_FAILURE, "--count: %llu elements requested, but the input has %llu after the offset",
                        (unsigned long long)options->count, (unsigned long long)left);
    return CLI_OK;
}
