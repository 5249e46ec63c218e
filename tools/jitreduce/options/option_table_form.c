/* Takes what the command line says of the form of texts: columns, delimiter, decimal point, missing values. */
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "option_take.h"
#include "slip_word.h"

/* The quote that ends a name; quotes in it stand twice. NULL: it does not end. */
static const char *closing_quote(const char *at, bool *doubled) {
    while ((at = strchr(at, '"')) != NULL && at[1] == '"') {
        *doubled = true;
        at += 2;
    }
    return at;
}

/* One column of a list: a number, a name, or a name in double quotes, which may hold commas and be a number. Writes
 * where the next one begins, NULL: it was the last. */
bool cli_take_column(const char *at, cli_column_name *column, const char **next) {
    const bool quoted = *at == '"';
    bool doubled = false;
    const char *begin = at + quoted, *end = quoted ? closing_quote(begin, &doubled) : begin + strcspn(begin, ",");
    if (end == NULL || end == begin) return false;
    const char *behind = end + quoted;
    if (*behind != '\0' && *behind != ',') return false;
    *column = (cli_column_name){.name = begin, .length = (size_t)(end - begin), .doubled = doubled};
    *next = *behind == ',' ? behind + 1 : NULL;
    const bool is_number = !quoted && strspn(begin, "0123456789") == column->length;
    return !is_number || cli_number_parse(JR_U64, begin, end, &column->number) == CLI_NUMBER_OK;
}

/* The end of a range that stands before `end`: nothing, a number, or a name, which may be in double quotes. */
static bool take_end(const char *begin, const char *end, cli_column_name *column) {
    *column = (cli_column_name){.name = begin, .length = (size_t)(end - begin)};
    if (begin == end) return true;
    if (*begin == '"') {
        column->name++;
        column->length -= 2;
        return closing_quote(begin + 1, &column->doubled) == end - 1 && end - begin > 2;
    }
    const bool is_number = strspn(begin, "0123456789") >= column->length;
    return !is_number ||
           (cli_number_parse(JR_U64, begin, end, &column->number) == CLI_NUMBER_OK && column->number != 0);
}

/* The first of `mark` and ',' at or after `at` outside quotes, or the text's end. */
static const char *find_outside(const char *at, char mark) {
    bool quoted = false;
    for (; *at != '\0' && (quoted || (*at != mark && *at != ',')); at++) quoted ^= *at == '"';
    return at;
}

/* Whether a number stands before the dash, and another one or nothing after it. */
static bool are_numbers(const char *begin, const char *dash, const char *end) {
    const size_t first = strspn(begin, "0123456789"), last = strspn(dash + 1, "0123456789");
    return first > 0 && begin + first == dash && dash + 1 + last == end;
}

bool cli_take_column_range(const char *at, cli_column_range *range, const char **next) {
    const char *mark = find_outside(at, ':'), *end = find_outside(at, ',');
    *next = *end == ',' ? end + 1 : NULL;
    *range = (cli_column_range){.length = (size_t)(end - at)};
    if (end - at == 1 && *at == '*') return true;
    if (*mark != ':') mark = find_outside(at, '-');
    if (mark >= end || end - at < 2 || (*mark == '-' && !are_numbers(at, mark, end))) return false;
    return take_end(at, mark, &range->first) && take_end(mark + 1, end, &range->last);
}

cli_exit cli_take_columns(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_table_form *table = &options->table;
    cli_column_range range;
    const char *next;
    if (options->column_list == NULL) options->column_list = argument;
    for (const char *at = argument; at != NULL;) {
        if (cli_take_column_range(at, &range, &next)) {
            options->many = true;
            at = next;
            continue;
        }
        if (table->column_count == JR_INPUTS_MAX) options->many = true;
        if (options->many && options->column_list == argument) return CLI_OK; /* many_works.c reads the list */
        if (table->column_count == JR_INPUTS_MAX)
            return cli_fail(error, CLI_USAGE, "--%s: '%s' lists more than %d columns: x, y, z and w", option->name,
                            argument, JR_INPUTS_MAX);
        cli_column_name *column = &table->columns[table->column_count];
        if (!cli_take_column(at, column, &at))
            return cli_fail(error, CLI_USAGE, "--%s: '%s' is not a list of columns like price or 3,4" SEE_HELP,
                            option->name, argument);
        if (column->number == 0 && column->length == strspn(column->name, "0"))
            return cli_fail(error, CLI_USAGE, "--%s: '%s': columns count from 1" SEE_HELP, option->name, argument);
        table->column_count++;
    }
    return CLI_OK;
}

cli_exit cli_take_delimiter(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    static const char *const names[][2] = {{"comma", ","}, {"semicolon", ";"}, {"pipe", "|"}, {"colon", ":"}};
    const char *at = strcmp(argument, "tab") == 0 || strcmp(argument, "\\t") == 0 ? "\t"
                     : strcmp(argument, "space") == 0                             ? " "
                                                                                  : argument;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(argument, names[i][0]) == 0)
            return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one character, nor tab or space; did you mean '%s'?",
                            option->name, argument, names[i][1]);
    if (strlen(at) != 1 || strchr("\"\n\r#", at[0]) != NULL)
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one character like ';', nor tab or space" SEE_HELP,
                        option->name, argument);
    options->table.delimiter = at[0];
    return CLI_OK;
}

cli_exit cli_take_decimal(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    if (strcmp(argument, ".") != 0 && strcmp(argument, ",") != 0)
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is neither '.' nor ','" SEE_HELP, option->name, argument);
    options->table.decimal_comma = argument[0] == ',';
    return CLI_OK;
}

cli_exit cli_take_thousands(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    const char *at = strcmp(argument, "space") == 0 ? " " : argument;
    if (strlen(at) != 1 || strchr(",. '_", at[0]) == NULL)
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one of , . ' _ space" SEE_HELP, option->name, argument);
    options->table.thousands = at[0];
    return CLI_OK;
}

cli_exit cli_take_comment(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    if (strlen(argument) != 1 || strchr("\" \t\n\r+-.", argument[0]) != NULL || cli_is_digit(argument[0]))
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not one character that begins no field, like '#'" SEE_HELP,
                        option->name, argument);
    options->table.comment = argument[0];
    return CLI_OK;
}

cli_exit cli_take_header(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    static const char *const words[] = {[CLI_HEADER_AUTO] = "auto", [CLI_HEADER_YES] = "yes", [CLI_HEADER_NO] = "no"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(argument, words[i]) != 0) continue;
        options->table.header = (cli_header)i;
        return CLI_OK;
    }
    return cli_slip_word(option->name, argument, option->words, error);
}

cli_exit cli_take_na(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    cli_table_form *table = &options->table;
    if (table->missing == NULL) {
        table->missing = argument;
        return CLI_OK;
    }
    if (table->more_count == CLI_NA_MAX - 1)
        return cli_fail(error, CLI_USAGE, "--%s: more than %d of them: give several words in one, as 'NA,-'",
                        option->name, CLI_NA_MAX);
    table->more_missing[table->more_count++] = argument;
    return CLI_OK;
}

cli_exit cli_take_missing(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    if (strcmp(argument, "nan") != 0 && strcmp(argument, "skip") != 0)
        return cli_slip_word(option->name, argument, option->words, error);
    options->table.skips_missing = argument[0] == 's';
    return CLI_OK;
}

cli_exit cli_take_key_type(const cli_option *option, cli_options *options, const char *argument, cli_error *error) {
    options->text_keys = strcmp(argument, "text") == 0;
    options->table.raw_keys = options->text_keys;
    options->key_type = JR_TYPE_NONE;
    if (options->text_keys) return CLI_OK;
    if (strcmp(argument, "str") == 0 || strcmp(argument, "string") == 0)
        return cli_slip_word(option->name, argument, option->words, error);
    return cli_find_type(option->name, argument, &options->key_type, error);
}

static bool looks_like_path(const char *name) {
    return strcmp(name, "-") == 0 || strpbrk(name, "./") != NULL;
}

bool cli_keys_are_file(const char *name) {
    return looks_like_path(name) || access(name, F_OK) == 0;
}

/* With --column, a name of keys is a file if it is written as one and the file exists. */
static bool is_file_beside_columns(const char *name) {
    const bool there = strcmp(name, "-") == 0 || access(name, F_OK) == 0 || strstr(name, ".npz:") != NULL;
    return name[0] != '"' && looks_like_path(name) && there;
}

/* Elements that are only counted need no numbers: they are texts that are compared with none. */
static void count_texts(cli_options *options) {
    static const cli_literals none = {.count = 0};
    options->table.columns[0].texts = &none;
    options->spec.type = cli_options_type(options, 0);
}

cli_column_name cli_column_of_lines(void) {
    static const cli_literals none = {.count = 0};
    return (cli_column_name){.number = 1, .texts = &none, .whole_line = true};
}

/* The keys of groups that are counted are the only column. */
static cli_exit settle_count(cli_options *options, const char *name, const char *option, cli_error *error) {
    cli_table_form *table = &options->table;
    const char *next = NULL;
    const bool reads_x = options->spec.nan == JR_NAN_IGNORE || cli_options_name_x(options);
    if (table->column_count > 0 && table->columns[0].texts == NULL && !reads_x) count_texts(options);
    if (table->column_count > 0 || name == NULL || cli_keys_are_file(name) || options->random || options->iota)
        return CLI_OK;
    if (!cli_take_column(name, &table->columns[0], &next))
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not a column like city or 3" SEE_HELP, option, name);
    table->column_count = 1;
    count_texts(options);
    return CLI_OK;
}

static bool is_same(const cli_column_name *a, const cli_column_name *b) {
    return a->number == b->number &&
           (a->number != 0 || (a->length == b->length && memcmp(a->name, b->name, a->length) == 0));
}

/* One column of the list; *at: the next one, NULL: it was the last. */
static cli_exit take_key(cli_table_form *table, const char *option, const char *list, const char **at,
                         cli_error *error) {
    cli_column_name *key = &table->keys[table->key_count];
    if (table->key_count == CLI_KEYS_MAX)
        return cli_fail(error, CLI_USAGE, "--%s: a list of more than %d columns", option, CLI_KEYS_MAX);
    if (!cli_take_column(*at, key, at))
        return cli_fail(error, CLI_USAGE, "--%s: '%s' is not a list of columns like city or 3,4" SEE_HELP, option,
                        list);
    if (key->number == 0 && key->length == strspn(key->name, "0"))
        return cli_fail(error, CLI_USAGE, "--%s: '%s': columns count from 1" SEE_HELP, option, list);
    for (int i = 0; i < table->key_count; i++)
        if (is_same(&table->keys[i], key))
            return cli_fail(error, CLI_USAGE, "--%s: '%.*s' is given twice", option, (int)key->length, key->name);
    table->key_count++;
    return CLI_OK;
}

cli_exit cli_settle_keyed(cli_options *options, cli_error *error) {
    cli_table_form *table = &options->table;
    const char *const name = options->group_by != NULL ? options->group_by : options->keys;
    const char *const option = options->group_by != NULL ? "group-by" : "keys";
    if (options->counts) {
        const cli_exit code = settle_count(options, name, option, error);
        if (code != CLI_OK) return code;
    }
    if (name == NULL || table->column_count == 0 || is_file_beside_columns(name)) return CLI_OK;
    cli_exit code = CLI_OK;
    table->key_count = 0;
    for (const char *at = name; code == CLI_OK && at != NULL;) code = take_key(table, option, name, &at, error);
    if (code == CLI_OK && table->key_count > 1 && options->group_by == NULL)
        return cli_fail(error, CLI_USAGE,
                        "--keys: '%s': runs have keys of one column, whose name stands in double quotes if it has a "
                        "comma; --group-by takes several columns",
                        name);
    return code;
}
