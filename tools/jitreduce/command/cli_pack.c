/* jitreduce pack: compiles operators x types for architectures into a file, or prints what such files contain. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "fold/works.h"
#include "io/cli_device.h"
#include "io/new_file.h"
#include "io/progress.h"
#include "options/cli_operator.h"
#include "options/command.h"

enum { ARCHITECTURES_MAX = 64, ARCHITECTURE_BYTES = 24 };

#define ONE_OP(name, number, text) JR_OP_##name,
static const jr_op all_ops[] = {JR_OPS(ONE_OP)};
#undef ONE_OP
#define ONE_TYPE(name, number, ...) JR_##name,
static const jr_type all_types[] = {JR_TYPES(ONE_TYPE)};
#undef ONE_TYPE
enum { ALL_OPS = sizeof all_ops / sizeof *all_ops, ALL_TYPES = sizeof all_types / sizeof *all_types };

/* What is packed: the lists of the command line, or all there is. */
typedef struct pack_work {
    const cli_options *options;
    const jr_op *ops;
    const jr_type *types;
    int op_count, type_count;
    bool open; /* one of the lists was not given: what does not go together is passed over */
    jr_pack *pack;
} pack_work;

static bool is_given(const cli_options *options, const char *name) {
    for (int i = 0; i < cli_option_count(); i++)
        if (strcmp(cli_option_row(i)->name, name) == 0) return options->given[i];
    return false;
}

static pack_work work_of(const cli_options *options) {
    pack_work work = {.options = options,
                      .ops = options->ops,
                      .types = options->types,
                      .op_count = options->op_count,
                      .type_count = options->type_count};
    const bool all = !is_given(options, "op") && options->ops[0] != JR_OP_CUSTOM;
    work.open = all || options->type_count == 0;
    if (all) {
        work.ops = all_ops;
        work.op_count = ALL_OPS;
    }
    if (options->type_count == 0) {
        work.types = all_types;
        work.type_count = ALL_TYPES;
    }
    return work;
}

static bool is_passed_over(const pack_work *work, jr_op op, jr_type type) {
    jr_type result;
    const bool own = op == JR_OP_CUSTOM && work->options->ops[0] != JR_OP_CUSTOM;
    return work->open && (own || type == JR_STRUCT || jr_result_type(op, type, &result) != JR_OK);
}

static jr_status add_kernels(jr_pack *pack, const cli_options *options, const jr_spec *spec) {
    const jr_segment_layout rows =
        JR_INIT(jr_segment_layout, .kind = JR_SEGMENTS_EQUAL, .length = options->segment_length);
    const jr_work work = JR_INIT(jr_work, .spec = spec, .layout = options->segment_length > 0 ? &rows : NULL,
                                 .kind = options->scan ? cli_device_scan_kind(options) : JR_WORK_REDUCE);
    return jr_work_pack_add(pack, &work);
}

static cli_exit add_one(const pack_work *work, jr_op op, jr_type type, cli_error *error) {
    cli_options own = *work->options;
    cli_request request;
    own.ops[0] = op;
    own.op_count = 1;
    own.spec.type = type;
    if (!cli_operator_is(op, CLI_OP_DDOF)) own.spec.ddof = 0;
    const cli_exit code = cli_works_request(&own, &request, error);
    if (code != CLI_OK) return code;
    const jr_status status = add_kernels(work->pack, &own, &request.spec);
    /* An exclusive scan of what has no value of nothing is no scan. */
    if (status == JR_ERROR_EMPTY_INPUT && work->open) return CLI_OK;
    return status == JR_OK ? CLI_OK : cli_fail_library(error, status);
}

static cli_exit add_all(const pack_work *work, cli_error *error) {
    cli_progress progress = cli_progress_of(work->options);
    cli_exit code = CLI_OK;
    for (int w = 0; code == CLI_OK && w < work->op_count * work->type_count; w++) {
        const jr_op op = work->ops[w / work->type_count];
        const jr_type type = work->types[w % work->type_count];
        char text[64];
        snprintf(text, sizeof text, "%s %s", jr_op_name(op), jr_type_name(type));
        cli_progress_show(&progress, (double)w / (work->op_count * work->type_count), text);
        if (!is_passed_over(work, op, type)) code = add_one(work, op, type, error);
    }
    cli_progress_end(&progress);
    return code;
}

/* Parts the list of architectures. */
static cli_exit part_architectures(const char *list, char names[ARCHITECTURES_MAX][ARCHITECTURE_BYTES], size_t *count,
                                   cli_error *error) {
    *count = 0;
    for (const char *at = list; at != NULL; at = strchr(at, ',') != NULL ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        if (*count == ARCHITECTURES_MAX)
            return cli_fail(error, CLI_USAGE, "--arch: a list of more than %d architectures", ARCHITECTURES_MAX);
        if (length == 0 || length >= ARCHITECTURE_BYTES)
            return cli_fail(error, CLI_USAGE, "--arch: '%s' is not a list of architectures like sm_80,sm_90,sim", list);
        snprintf(names[(*count)++], ARCHITECTURE_BYTES, "%.*s", (int)length, at);
    }
    return CLI_OK;
}

static cli_exit create(const cli_options *options, jr_pack **pack, cli_error *error) {
    char names[ARCHITECTURES_MAX][ARCHITECTURE_BYTES];
    const char *architectures[ARCHITECTURES_MAX];
    size_t count;
    const cli_exit code = part_architectures(options->architectures, names, &count, error);
    if (code != CLI_OK) return code;
    for (size_t i = 0; i < count; i++) architectures[i] = names[i];
    const jr_pack_options how =
        JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = count, .plain = options->plain);
    const jr_status status = jr_pack_create(NULL, &how, pack);
    if (status == JR_OK) return CLI_OK;
    const cli_exit failed = cli_fail_library(error, status);
    return status == JR_ERROR_INVALID_ARGUMENT || status == JR_ERROR_ARCHITECTURE ? CLI_USAGE : failed;
}

static cli_exit look(const char *path, cli_error *error) {
    jr_pack_info info = JR_INIT(jr_pack_info);
    const jr_status status = jr_pack_look(path, &info);
    if (status != JR_OK) return cli_fail_library(error, status);
    printf("%s: %" PRIu64 " images for %s, %" PRIu64 " bytes (%" PRIu64 " unpacked), by jitreduce %s and %s\n", path,
           info.image_count, info.architectures, info.bytes, info.image_bytes, info.library, info.compiler);
    return CLI_OK;
}

/* Before minutes are spent on what cannot be written. */
static cli_exit check_place(const char *path, cli_error *error) {
    const char *slash = strrchr(path, '/');
    char folder[4096];
    snprintf(folder, sizeof folder, "%.*s",
             slash == path   ? 1
             : slash != NULL ? (int)(slash - path)
                             : 1,
             slash != NULL ? path : ".");
    if (access(folder, W_OK | X_OK) != 0)
        return cli_fail(error, CLI_FAILURE, "--output: cannot write to %s: %s", folder, strerror(errno));
    return cli_new_file_check("--output", path, error);
}

static cli_exit make(const cli_options *options, cli_error *error) {
    pack_work work = work_of(options);
    cli_exit code = check_place(options->output, error);
    if (code == CLI_OK) code = create(options, &work.pack, error);
    if (code != CLI_OK) return code;
    code = add_all(&work, error);
    if (code == CLI_OK) {
        const jr_status status = jr_pack_write(work.pack, options->output);
        if (status != JR_OK) code = cli_fail_library(error, status);
    }
    jr_pack_destroy(work.pack);
    return code == CLI_OK && !options->quiet ? look(options->output, error) : code;
}

cli_exit cli_pack_run(const cli_options *options, cli_error *error) {
    cli_exit code = CLI_OK;
    if (options->file_count > 0 && (options->output != NULL || options->architectures != NULL))
        return cli_fail(error, CLI_USAGE,
                        "pack: writes --output FILE.jrpack, or shows the contents of files, not both");
    for (int i = 0; code == CLI_OK && i < options->file_count; i++) code = look(options->files[i], error);
    if (options->file_count > 0) return code;
    if (options->output == NULL || strcmp(options->output, "-") == 0)
        return cli_fail(error, CLI_USAGE, "--output: name the file to make, as FILE.jrpack");
    if (options->architectures == NULL)
        return cli_fail(error, CLI_USAGE, "--arch: name the architectures to compile for, as sm_80,sm_90 or sim");
    return make(options, error);
}
