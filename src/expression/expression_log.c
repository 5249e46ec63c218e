/* Reads NVRTC's messages and points into expressions. */
#include "expression_log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"

typedef struct log_line {
    const char *text;
    size_t length; /* without the newline */
} log_line;

/* One message about an expression, as NVRTC writes it: "combine(1): error: no operator "<" matches these operands",
 * perhaps lines that go on with the sentence, then the source line and a line with a caret. */
typedef struct message {
    const jr_expression *expression;
    log_line sentence; /* "error: ...", and the lines that go on with it */
    bool is_error;
    bool has_column;
    size_t column; /* in the expression's text, at most its length */
} message;

static log_line line_at(const char *text) {
    return (log_line){text, strcspn(text, "\n")};
}

static const char *line_end(log_line line) {
    return line.text + line.length + (line.text[line.length] == '\n');
}

static bool begins_with(log_line line, const char *beginning) {
    const size_t length = strlen(beginning);
    return length <= line.length && memcmp(line.text, beginning, length) == 0;
}

/* The rest of a line after "<what>(<number>): "; NULL when the line does not begin so. */
static const char *behind_place(log_line line, const char *what) {
    const size_t length = strlen(what);
    if (!begins_with(line, what) || line.text[length] != '(') return NULL;
    const char *at = line.text + length + 1;
    at += strspn(at, "0123456789");
    return strncmp(at, "): ", 3) == 0 ? at + 3 : NULL;
}

static bool is_caret(log_line line) {
    const size_t blanks = strspn(line.text, " \t");
    return blanks + 1 == line.length && line.text[blanks] == '^';
}

/* Sets the column from the printed source line, in which the expression stands between other text: of the places where
 * it could stand, the one nearest to the caret, and the last of those. A caret outside it is moved to its end. */
static void find_column(message *found, log_line source, size_t caret) {
    const char *text = found->expression->text;
    const size_t length = strlen(text);
    size_t nearest = (size_t)-1;
    for (size_t start = 0; start + length <= source.length; start++) {
        if (memcmp(source.text + start, text, length) != 0) continue;
        const size_t end = start + length;
        const size_t distance = caret < start ? start - caret : caret > end ? caret - end : 0;
        if (distance > nearest) continue;
        nearest = distance;
        found->has_column = true;
        found->column = caret < start ? 0 : caret > end ? length : caret - start;
    }
}

/* Reads what follows the first line of a message; returns where it ends. */
static const char *read_rest(message *found, const char *at) {
    static const char going_on[] = "            "; /* NVRTC indents by twelve blanks; "detected during" by ten */
    for (;;) {
        const log_line line = line_at(at), next = line_at(line_end(line));
        if (is_caret(next)) {
            find_column(found, line, strcspn(next.text, "^"));
            return line_end(next);
        }
        if (!begins_with(line, going_on)) return at;
        found->sentence.length = (size_t)(line.text + line.length - found->sentence.text);
        at = line_end(line);
    }
}

/* Reads the next error or warning about an expression; false at the log's end. Moves *log past it. */
static bool next_message(const char **log, const jr_expression *expressions, size_t count, message *found) {
    while (**log != '\0') {
        const log_line line = line_at(*log);
        *log = line_end(line);
        for (size_t i = 0; i < count; i++) {
            const char *sentence = behind_place(line, expressions[i].what);
            if (sentence == NULL) continue;
            const log_line said = {sentence, (size_t)(line.text + line.length - sentence)};
            if (begins_with(said, "note") || begins_with(said, "remark")) continue;
            *found = (message){&expressions[i], said, !begins_with(said, "warning"), false, 0};
            *log = read_rest(found, *log);
            return true;
        }
    }
    return false;
}

static void append(jr_text *out, const message *said) {
    const char *text = said->expression->text;
    jr_text_append(out, "%s: %.*s\n", said->expression->what, (int)said->sentence.length, said->sentence.text);
    if (said->has_column)
        jr_text_append_caret(out, text, strlen(text), said->column);
    else
        jr_text_append(out, "  %s\n", text);
}

char *jr_expression_log(const char *log, const jr_expression *expressions, size_t count) {
    jr_text out = {0};
    message said;
    bool has_error = false;
    for (const char *at = log; next_message(&at, expressions, count, &said);) {
        append(&out, &said);
        has_error |= said.is_error;
    }
    if (has_error) return jr_text_take(&out);
    jr_text_free(&out);
    return jr_string_copy(log);
}

/* ---- values that are not converted ---- */

/* The compiler finds it in the conversion (core/convert.cuh), not in the expression: 'error: no suitable conversion
 * function from "const float2" to "float" exists', or 'constructor exists to convert from "float" to "pair"'. */
typedef struct conversion {
    const char *from, *to;
    int from_length, to_length;
    bool of_where; /* to a condition, which is done where `where` stands */
} conversion;

/* The text between the quotes after `mark`, without "const "; false: it is not there. */
static bool find_quoted(const char *line, const char *mark, const char **text, int *length) {
    const char *at = strstr(line, mark);
    if (at == NULL) return false;
    at += strlen(mark);
    if (strncmp(at, "const ", 6) == 0) at += 6;
    *text = at;
    *length = (int)strcspn(at, "\"\n");
    return at[*length] == '"';
}

static bool find_conversion(const char *log, conversion *found) {
    static const char from[] = "): error: no suitable ", condition[] = "__nv_bool";
    const char *of_where = strstr(log, "expressions.cuh("), *of_value = strstr(log, "convert.cuh(");
    const char *at = of_value != NULL ? of_value : of_where, *error = at != NULL ? strstr(at, from) : NULL;
    if (error == NULL || error > at + strcspn(at, "\n")) return false;
    if (!find_quoted(error, "from \"", &found->from, &found->from_length)) return false;
    if (!find_quoted(error, "\" to \"", &found->to, &found->to_length)) return false;
    found->of_where = of_value == NULL;
    return found->of_where ? strncmp(found->to, condition, sizeof condition - 1) == 0
                           : strstr(error, " of expressions.cuh") != NULL;
}

/* Which expression it is the compiler does not say: all whose values are converted so are named. */
static jr_status explain_conversion(jr_status status, const jr_expression *expressions, size_t count) {
    conversion found;
    jr_text names = {0}, log = {0};
    size_t named = 0;
    const char *driver_name = jr_last_error()->driver_name;
    if (!find_conversion(jr_last_error()->log, &found)) return status;
    for (size_t i = 0; i < count; i++) {
        if ((strcmp(expressions[i].what, "where") == 0) != found.of_where) continue;
        jr_text_append(&names, "%s%s", named++ > 0 ? " or " : "", expressions[i].what);
        jr_text_append_caret(&log, expressions[i].text, strlen(expressions[i].text), 0);
    }
    if (named == 0) return status; /* a conversion that no expression of the caller's asks for */
    char *of = jr_text_take(&names), *shown = jr_text_take(&log);
    const int length = found.of_where ? (int)sizeof "condition" - 1 : found.to_length;
    const char *to = found.of_where ? "condition" : found.to;
    if (of != NULL && shown != NULL)
        jr_fail_with(JR_ERROR_INVALID_EXPRESSION, driver_name, shown,
                     "the %s expression gives %.*s, which is no %.*s: write the member that is meant, or what makes a "
                     "%.*s of it",
                     of, found.from_length, found.from, length, to, length, to);
    status = of != NULL && shown != NULL ? JR_ERROR_INVALID_EXPRESSION
                                         : jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to explain a failed compile");
    free(of);
    free(shown);
    return status;
}

/* ---- */

/* What the library asserts of a value is a sentence of its own. */
static log_line asserted(log_line sentence) {
    static const char mark[] = "static assertion failed with \"";
    if (!begins_with(sentence, mark)) return sentence;
    sentence.text += sizeof mark - 1;
    return (log_line){sentence.text, strcspn(sentence.text, "\"\n")};
}

jr_status jr_expression_explain(jr_status status, const jr_expression *expressions, size_t count) {
    static const char severity[] = "error: ";
    const jr_error *error = jr_last_error();
    message first = {0};
    if (status != JR_ERROR_COMPILE) return status;
    for (const char *at = error->log; !first.is_error;)
        if (!next_message(&at, expressions, count, &first)) return explain_conversion(status, expressions, count);
    char *log = jr_expression_log(error->log, expressions, count);
    if (log == NULL) return jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to explain a failed compile");
    log_line sentence = line_at(first.sentence.text);
    if (begins_with(sentence, severity)) sentence = line_at(sentence.text + sizeof severity - 1);
    const log_line own = asserted(sentence);
    jr_fail_with(JR_ERROR_INVALID_EXPRESSION, error->driver_name, log, "the %s expression%s: %.*s",
                 first.expression->what, own.text != sentence.text ? "" : " does not compile", (int)own.length,
                 own.text);
    free(log);
    return JR_ERROR_INVALID_EXPRESSION;
}
