/* Checks options against each other, once all of them are taken. */
#include "option_check.h"

#include <string.h>
#include <unistd.h>

#include "base/cli_settings.h"
#include "base/number.h"
#include "base/suggest.h"
#include "cli_operator.h"
#include "option_take.h"

/* What a measurement cannot be at once. */
static cli_exit check_bench(const cli_options *options, cli_error *error) {
    if (options->csv && options->json) return cli_fail(error, CLI_USAGE, "--csv and --json: give one of them");
    if (options->bench.one_pass && options->op_count < 2)
        return cli_fail(error, CLI_USAGE, "--one-pass: needs a list of operators like --op sum,min");
    return CLI_OK;
}

static cli_exit check_structure(const cli_options *options, cli_error *error) {
    const cli_structure *structure = &options->structure;
    bool wanted = options->spec.type == JR_STRUCT;
    for (int i = 0; i < options->type_count; i++) wanted |= options->types[i] == JR_STRUCT;
    if (wanted && structure->text == NULL) return cli_fail(error, CLI_USAGE, "--type: struct needs --struct" SEE_HELP);
    if (!wanted && structure->text != NULL)
        return cli_fail(error, CLI_USAGE, "--struct: no input has this type: --type names others");
    if (wanted && options->table.column_count > 0)
        return cli_fail(
            error, CLI_USAGE,
            "--struct, --column: structs are read raw, from bytes in memory's form; columns of a table are x, "
            "y, z and w of --map and --where");
    if (wanted && options->spec.type == JR_STRUCT && options->format != CLI_FORMAT_AUTO &&
        options->format != CLI_FORMAT_RAW)
        return cli_fail(error, CLI_USAGE, "--format: structs are read raw");
    return CLI_OK;
}

/* What --group-by does not go with. */
static cli_exit check_groups(const cli_options *options, cli_error *error) {
    bool index = false;
    for (int i = 0; i < options->op_count; i++) index |= cli_operator_is(options->ops[i], CLI_OP_INDEX);
    if (options->group_by == NULL) return CLI_OK;
    if (index && options->spec.finish != NULL)
        return cli_fail(error, CLI_USAGE,
                        "--finish: does not go with --group-by and argmin or argmax, whose index is that of the input");
    if (index && options->spec.result != JR_TYPE_NONE)
        return cli_fail(error, CLI_USAGE, "--result: with --group-by the index of argmin and argmax is i64");
    return CLI_OK;
}

static cli_exit check_inputs(const cli_options *options, cli_error *error) {
    static const char letters[] = "xyzw";
    const int count = cli_options_input_count(options);
    for (int i = count; i < JR_INPUTS_MAX && options->table.column_count < 2; i++)
        if (options->more_files[i] != NULL)
            return cli_fail(error, CLI_USAGE, "-%c: also needs -%c", letters[i], letters[count]);
    if (options->type_count > count && count > 1)
        return cli_fail(error, CLI_USAGE, "--type: %d types for %d inputs", options->type_count, count);
    const bool used = options->ops[0] == JR_OP_DOT || options->spec.map != NULL || options->spec.where != NULL;
    if (count > 1 && !used && options->more_files[1] != NULL)
        return cli_fail(error, CLI_USAGE, "-y: nothing uses it: give --map, --where or --op dot" SEE_HELP);
    if (count > 1 && !used)
        return cli_fail(error, CLI_USAGE,
                        "--column: nothing uses the second one, which is y: --map 'x + y' makes one number of both, "
                        "--op dot adds their products; the %s of each needs a command of its own, with one column",
                        jr_op_name(options->ops[0]));
    return CLI_OK;
}

static cli_exit check_generated(const cli_options *options, cli_error *error) {
    const bool generated = options->random || options->iota;
    if (options->random && options->iota) return cli_fail(error, CLI_USAGE, "--random and --iota: give one of them");
    if (generated && options->format != CLI_FORMAT_AUTO)
        return cli_fail(error, CLI_USAGE, "--format: generated data has no format");
    if (generated && options->spec.type == JR_STRUCT)
        return cli_fail(error, CLI_USAGE, "--struct: structs cannot be generated");
    return CLI_OK;
}

/* Numbers in place of a file that holds them. */
static cli_exit check_offsets(const cli_options *options, cli_error *error) {
    const char *offsets = options->offsets;
    double number;
    if (offsets != NULL && access(offsets, F_OK) != 0 && offsets[0] != '\0' &&
        cli_number_parse(JR_F64, offsets, offsets + strlen(offsets), &number) == CLI_NUMBER_OK)
        return cli_fail(error, CLI_USAGE, "--segments: '%s' is neither a count like 1000 nor a file" SEE_HELP, offsets);
    if (offsets == NULL || offsets[strspn(offsets, "0123456789, ")] != '\0' || access(offsets, F_OK) == 0)
        return CLI_OK;
    return cli_fail(error, CLI_USAGE,
                    "--segments: there is no file '%s'; of numbers a shell makes one: --segments <(echo 0 2 5)",
                    offsets);
}

/* What is said of many results. */
static cli_exit check_many(const cli_options *options, cli_error *error) {
    const bool grouped = options->group_by != NULL;
    const int ways = (options->offsets != NULL) + (options->segment_length > 0) + (options->axis_count > 0) +
                     (options->keys != NULL) + grouped;
    if (ways > 1) return cli_fail(error, CLI_USAGE, "--segments, --axis, --keys and --group-by: give one of them");
    if (options->key_type != JR_TYPE_NONE && options->keys == NULL && !grouped)
        return cli_fail(error, CLI_USAGE, "--key-type: needs --keys or --group-by");
    if (options->nan_keys && options->keys == NULL && !grouped)
        return cli_fail(error, CLI_USAGE, "--nan-keys: needs --keys or --group-by");
    if (options->text_keys && options->keys == NULL && !grouped)
        return cli_fail(error, CLI_USAGE, "--key-type: needs --keys or --group-by");
    if (options->empty_groups != 0 && options->keys == NULL && !grouped)
        return cli_fail(error, CLI_USAGE, "--empty-groups: needs --keys or --group-by");
    if (options->empty_groups != 0 && options->spec.where == NULL && options->spec.nan != JR_NAN_IGNORE)
        return cli_fail(error, CLI_USAGE, "--empty-groups: only --where and --nan ignore leave a key without elements");
    if (options->shape.dimensions > 0 && options->axis_count == 0 && options->spec.apply == NULL)
        return cli_fail(error, CLI_USAGE, "--shape: needs --axis");
    if (options->keep_dimensions && (options->axis_count == 0 || options->output == NULL))
        return cli_fail(error, CLI_USAGE, "--keepdims: sets the shape in a file: needs --axis and --output");
    if (options->output_keys != NULL && ((options->keys == NULL && !grouped) || options->output == NULL))
        return cli_fail(error, CLI_USAGE, "--output-keys: is for keys: needs --keys or --group-by, and --output");
    if (options->output_keys != NULL && strcmp(options->output, options->output_keys) == 0)
        return cli_fail(error, CLI_USAGE, "--output, --output-keys: '%s' cannot be both files", options->output);
    return CLI_OK;
}

static cli_exit check_table(const cli_options *options, cli_error *error) {
    const cli_table_form *table = &options->table;
    const bool generated = options->random || options->iota;
    const bool binary = options->format == CLI_FORMAT_RAW || options->format == CLI_FORMAT_NPY;
    const bool of_keys = (options->group_by != NULL || options->keys != NULL) &&
                         table->key_count == 0; /* --na is for the file of keys, too */
    const bool asked = table->column_count > 0 || table->delimiter || table->decimal_comma ||
                       (table->missing && !of_keys) || table->skips_missing || table->thousands || table->skip_lines;
    if (asked && (generated || binary))
        return cli_fail(error, CLI_USAGE, "%s for text",
                        table->column_count > 0
                            ? "--column: is"
                            : "--delimiter, --decimal, --thousands, --skip-lines, --na, --missing: are");
    if (table->delimiter && table->column_count == 0)
        return cli_fail(error, CLI_USAGE, "--delimiter: separates the columns of --column, which is not given");
    if ((table->comment || table->header != CLI_HEADER_AUTO) && table->column_count == 0)
        return cli_fail(error, CLI_USAGE, "--comment, --header: are for the lines of a table: need --column");
    if (table->comment && table->comment == table->delimiter)
        return cli_fail(error, CLI_USAGE, "--comment, --delimiter: both are '%c'", table->comment);
    if (table->thousands && (table->thousands == (table->decimal_comma ? ',' : '.')))
        return cli_fail(error, CLI_USAGE, "--thousands: '%c' is the decimal separator already: see --decimal",
                        table->thousands);
    if (table->thousands && table->thousands == table->delimiter)
        return cli_fail(error, CLI_USAGE, "--thousands, --delimiter: both are '%c'", table->thousands);
    if (table->thousands == ' ' && table->column_count == 0)
        return cli_fail(error, CLI_USAGE,
                        "--thousands: space parts the numbers of a text: in columns, with --column and another "
                        "--delimiter, it parts their digits");
    for (int i = 0; table->header == CLI_HEADER_NO && i < table->column_count + table->key_count; i++) {
        const cli_column_name *name =
            i < table->column_count ? &table->columns[i] : &table->keys[i - table->column_count];
        if (name->number == 0)
            return cli_fail(error, CLI_USAGE, "--header: no: no line names the columns, but '%.*s' is a name",
                            (int)name->length, name->name);
    }
    if (table->skips_missing && table->missing == NULL)
        return cli_fail(error, CLI_USAGE,
                        "--missing: needs --na, the words for a missing value: --na '' for an empty field, --na NA,-");
    if (table->skips_missing && (options->more_files[1] != NULL || of_keys))
        return cli_fail(
            error, CLI_USAGE,
            "--missing skip: would leave out elements of one file, and not those beside them in another: put "
            "both into one table (paste -d,), and give --column");
    if (table->decimal_comma && table->delimiter == ',')
        return cli_fail(error, CLI_USAGE, "--delimiter, --decimal: both are the comma");
    if (table->column_count > 1 && options->more_files[1] != NULL)
        return cli_fail(error, CLI_USAGE, "-y: the second column of --column is y already");
    return CLI_OK;
}

cli_exit cli_options_check_together(const cli_options *options, cli_error *error) {
    cli_exit code = check_generated(options, error);
    if (code != CLI_OK) return code;
    if (options->format == CLI_FORMAT_RAW && options->spec.type == JR_TYPE_NONE)
        return cli_fail(error, CLI_USAGE, "--format raw: needs --type" SEE_HELP);
    code = check_table(options, error);
    if (code != CLI_OK) return code;
    if ((options->spec.combine != NULL || options->spec.identity != NULL) && options->ops[0] != JR_OP_CUSTOM)
        return cli_fail(error, CLI_USAGE, "--combine, --identity: go with --op custom, not with %s",
                        jr_op_name(options->ops[0]));
    code = check_many(options, error);
    if (code == CLI_OK) code = check_offsets(options, error);
    if (code == CLI_OK) code = check_groups(options, error);
    if (code == CLI_OK) code = check_bench(options, error);
    if (code == CLI_OK) code = check_structure(options, error);
    return code == CLI_OK ? check_inputs(options, error) : code;
}
