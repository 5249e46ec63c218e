/* Takes --op 'sum(price),max(qty * 2),count' apart. */
#include "many_calls.h"

#include <stdio.h>
#include <string.h>

#include "many_add.h"
#include "options/option_take.h"
#include "parse/name_tokens.h"

/* One call: its name, and its brackets if it has some. */
typedef struct call {
    const char *name, *open, *close;
    size_t length; /* of the name */
} call;

/* The bracket that closes the one at `open`; NULL: none does. */
static const char *closing_bracket(const char *open) {
    int depth = 0;
    for (cli_token token = cli_token_next(open); token.kind != CLI_TOKEN_END;
         token = cli_token_next(token.begin + token.length)) {
        depth += cli_token_is_sign(&token, "(") - cli_token_is_sign(&token, ")");
        if (depth == 0) return token.begin;
    }
    return NULL;
}

/* Reads a call, and moves *at to the next one; NULL: it was the last. False: it is no call. */
static bool next_call(const char **at, call *found) {
    const char *name = *at + strspn(*at, " ");
    *found = (call){.name = name, .length = strcspn(name, "( ,")};
    const char *next = name + found->length;
    next += strspn(next, " ");
    if (*next == '(') {
        found->open = next;
        found->close = closing_bracket(next);
        if (found->close == NULL) return false;
        next = found->close + 1 + strspn(found->close + 1, " ");
    }
    *at = *next == ',' ? next + 1 : NULL;
    return found->length > 0 && (*next == '\0' || *next == ',');
}

/* Is there a word in it that may be a column, and not a constant alone? */
static bool names_something(const char *text) {
    for (cli_token token = cli_token_next(text); token.kind != CLI_TOKEN_END;
         token = cli_token_next(token.begin + token.length))
        if (token.kind == CLI_TOKEN_WORD || token.kind == CLI_TOKEN_NAME) return true;
    return false;
}

/* price and `unit price` are columns, even where an expression would know the word; all else is an expression. */
static void take_argument(cli_options *own, const char *text) {
    const cli_token token = cli_token_next(text), next = cli_token_next(token.begin + token.length);
    const size_t quote = token.kind == CLI_TOKEN_NAME ? 1 : 0;
    if ((token.kind != CLI_TOKEN_WORD && quote == 0) || next.kind != CLI_TOKEN_END) {
        own->spec.map = text;
        if (!names_something(text)) own->table.columns[own->table.column_count++] = cli_column_of_lines();
        return;
    }
    own->table.columns[0] =
        (cli_column_name){.name = token.begin + quote, .length = token.length - 2 * quote, .option = "op"};
    own->table.column_count = 1;
}

static cli_exit take_call(const cli_options *options, const call *found, cli_many *many, cli_error *error) {
    cli_many_work *work;
    char op[48];
    const bool calls = found->open != NULL;
    const cli_piece text = {calls ? found->open + 1 : "", calls ? (size_t)(found->close - found->open) - 1 : 0};
    const char *end = calls ? found->close + 1 : found->name + found->length;
    cli_exit code =
        cli_many_add(options, many, text, (cli_piece){found->name, (size_t)(end - found->name)}, &work, error);
    if (code != CLI_OK) return code;
    snprintf(op, sizeof op, "%.*s", (int)(found->length < sizeof op ? found->length : sizeof op - 1), found->name);
    work->options.op_count = 0;
    work->options.ops_done = work->options.counts = false;
    code = cli_take_ops(NULL, &work->options, op, error);
    if (code != CLI_OK) return code;
    if (work->options.counts && calls)
        return cli_fail(error, CLI_USAGE, "--op: '%s': count counts lines, whatever their columns hold: write count",
                        work->label);
    if (!work->options.counts && !calls)
        return cli_fail(error, CLI_USAGE, "--op: '%s': next to calls each operator has a column: %s(price)",
                        work->label, work->label);
    if (calls) take_argument(&work->options, work->text);
    if (!calls) work->options.spec.nan = JR_NAN_PROPAGATE; /* a line has no value that is NaN */
    return cli_many_settle(many, work, error);
}

cli_exit cli_many_calls(const cli_options *options, cli_many *many, cli_error *error) {
    for (const char *at = options->op_calls; at != NULL;) {
        call found;
        if (!next_call(&at, &found))
            return cli_fail(error, CLI_USAGE, "--op: '%s' is not a list like 'sum(price),max(qty * 2),count'",
                            options->op_calls);
        const cli_exit code = take_call(options, &found, many, error);
        if (code != CLI_OK) return code;
    }
    return CLI_OK;
}
