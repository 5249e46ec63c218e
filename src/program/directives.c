/* Finds the names of files in directives. */
#include "directives.h"

#include <string.h>

/* The characters of a mention: outside an include, other text in quotes or angle brackets is not a file's name. */
static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

static bool is_one_of(const char *word, const char *const *words) {
    for (; *words != NULL; words++)
        if (strcmp(word, *words) == 0) return true;
    return false;
}

/* Reads a name in quotes or angle brackets; false: none begins here, or it is not closed on its line. */
static bool take_name(const char *at, jr_directive_name *name) {
    if (*at != '"' && *at != '<') return false;
    const char *close = strpbrk(at + 1, *at == '"' ? "\"\n" : ">\n");
    if (close == NULL || *close == '\n') return false;
    *name = (jr_directive_name){
        .quoted = *at == '"', .text = at + 1, .length = (size_t)(close - at - 1), .begin = at, .end = close + 1};
    return true;
}

/* Reads what stands in place of a file's name, such as a macro: up to a comment, the end of the line or, if `brackets`
 * are open, the bracket that closes them. */
static void take_rest(const jr_lexing *lexing, const char *at, int brackets, jr_directive_name *name) {
    const bool ends = brackets > 0;
    const char *end = at;
    while (*end != '\0' && *end != '\n' && jr_lexeme_past_comment(lexing, end) == end) {
        brackets += *end == '(' ? 1 : *end == ')' ? -1 : 0;
        if (ends && brackets == 0) break;
        const size_t splice = jr_lexeme_splice(lexing, end);
        end = splice > 0 ? end + splice : jr_lexeme_end(lexing, end);
    }
    *name = (jr_directive_name){.text = at, .length = (size_t)(end - at), .begin = at, .end = end};
}

/* The place after a directive's sign (#, %: or a trigraph); NULL: none begins here. */
static const char *past_sign(const jr_lexing *lexing, const char *at) {
    if (*at == '#') return at + 1;
    if (lexing->trigraphs && strncmp(at, "?\?=", 3) == 0) return at + 3;
    if (*at++ != '%') return NULL;
    for (size_t splice; (splice = jr_lexeme_splice(lexing, at)) > 0;) at += splice;
    return *at == ':' ? at + 1 : NULL;
}

static bool take_include(const jr_lexing *lexing, const char *at, bool next, jr_directive_name *name) {
    at = jr_lexeme_past_blanks(lexing, at);
    if (take_name(at, name)) {
        name->kind = next ? JR_DIRECTIVE_NEXT : JR_DIRECTIVE_INCLUDE;
        return true;
    }
    take_rest(lexing, at, 0, name);
    name->kind = JR_DIRECTIVE_COMPUTED;
    return true;
}

/* Reads a macro's definition. A macro with parameters has a body, too, but no name is visited for it. */
static bool take_define(jr_directive_reading *walk, const char *at, jr_directive_name *name) {
    walk->in_define = true;
    at = jr_lexeme_past_blanks(&walk->lexing, at);
    walk->at = at;
    if (!jr_lexeme_word(&walk->lexing, at, walk->word, &at)) return false;
    walk->at = at;
    if (*at == '(') return false;
    *name = (jr_directive_name){
        .kind = JR_DIRECTIVE_DEFINE, .text = walk->word, .length = strlen(walk->word), .begin = at, .end = at};
    return true;
}

/* Reads a directive. True: it names something directly. at: after its sign; the walk continues after what was read. */
static bool take_directive(jr_directive_reading *walk, const char *at, jr_directive_name *name) {
    static const char *const includes[] = {"include", "include_next", "import", "embed", NULL};
    char word[JR_LEXEME_WORD_BYTES];
    walk->at = at = jr_lexeme_past_blanks(&walk->lexing, at);
    if (!jr_lexeme_word(&walk->lexing, at, word, &at)) return false;
    walk->at = at;
    if (is_one_of(word, includes)) return take_include(&walk->lexing, at, strstr(word, "_next") != NULL, name);
    if (strcmp(word, "define") == 0) return take_define(walk, at, name);
    walk->in_condition = strcmp(word, "if") == 0 || strcmp(word, "elif") == 0;
    return false;
}

/* __has_include and its like. */
static bool take_question(const jr_lexing *lexing, const char *at, jr_directive_name *name) {
    static const char *const words[] = {"__has_include", "__has_include_next", "__has_embed", NULL};
    char word[JR_LEXEME_WORD_BYTES];
    if (!jr_lexeme_word(lexing, at, word, &at) || !is_one_of(word, words)) return false;
    at = jr_lexeme_past_blanks(lexing, at);
    if (*at != '(') return false;
    at = jr_lexeme_past_blanks(lexing, at + 1);
    const bool named = take_name(at, name);
    if (!named) take_rest(lexing, at, 1, name);
    name->kind = !named ? JR_DIRECTIVE_ASKED : strstr(word, "_next") != NULL ? JR_DIRECTIVE_NEXT : JR_DIRECTIVE_INCLUDE;
    return true;
}

/* Reads a name that is mentioned here. Nothing in it may begin a comment: NVRTC would see the comment, and not the
 * name. */
static bool take_mention(const jr_directive_reading *walk, const char *at, jr_directive_name *name) {
    if (!take_name(at, name) || name->length == 0 || strspn(name->text, plain) < name->length) return false;
    for (size_t i = 0; !name->quoted && i + 1 < name->length; i++)
        if (name->text[i] == '/' && name->text[i + 1] == '/') return false;
    name->kind = walk->in_condition ? JR_DIRECTIVE_CONDITION : JR_DIRECTIVE_MENTION;
    return true;
}

/* Steps over blanks, comments, and ends of lines; false: something else stands here. For NVRTC a directive may begin
 * after a comment that ends on another line than it began, too, unless that line is of a directive. */
static bool step_blank(jr_directive_reading *walk) {
    const char *at = walk->at;
    walk->at = jr_lexeme_past_blanks(&walk->lexing, at);
    if (!walk->in_directive && memchr(at, '\n', (size_t)(walk->at - at)) != NULL) walk->in_line = false;
    if (*walk->at != '\n') return walk->at != at;
    walk->at++;
    walk->in_line = walk->in_directive = walk->in_define = walk->in_condition = false;
    return true;
}

/* Reads one directive or lexeme at the walk's place; the walk continues after it. */
static bool take(jr_directive_reading *walk, jr_directive_name *name) {
    const char *sign = walk->in_line ? NULL : past_sign(&walk->lexing, walk->at);
    bool found = false;
    walk->in_line = true;
    if (sign != NULL) {
        walk->in_directive = true;
        found = take_directive(walk, sign, name);
    } else {
        if (walk->in_define || walk->in_condition)
            found = take_mention(walk, walk->at, name) || take_question(&walk->lexing, walk->at, name);
        if (!found) walk->at = jr_lexeme_end(&walk->lexing, walk->at);
    }
    if (found) walk->at = name->end;
    return found;
}

/* Finds the next name of one reading; false at the end. */
static bool read_on(jr_directive_reading *walk, jr_directive_name *name) {
    while (*walk->at != '\0')
        if (!step_blank(walk) && take(walk, name)) return true;
    return false;
}

/* True if a text may have digit separators; in doubt, true. */
static bool has_separators(const char *text) {
    static const char digits[] = "0123456789abcdefABCDEF\n"; /* or a splice */
    for (const char *at = text; (at = strchr(at, '\'')) != NULL; at++)
        if (at > text && strchr(digits, at[-1]) != NULL) return true;
    return false;
}

void jr_directives_begin(jr_directives *walk, const char *text, int standard) {
    const jr_lexing lexing = jr_lexing_of(standard);
    *walk = (jr_directives){.count = lexing.separators && has_separators(text) ? 2 : 1, .past = text};
    for (int i = 0; i < walk->count; i++) {
        walk->readings[i] = (jr_directive_reading){.at = text, .lexing = lexing};
        if (i > 0) walk->readings[i].lexing.separators = false;
        walk->visited[i] = true;
    }
}

/* The reading whose name comes first; -1: no reading has a name left. */
static int first_reading(const jr_directives *walk) {
    int first = -1;
    for (int i = 0; i < walk->count; i++)
        if (walk->has_name[i] && (first < 0 || walk->names[i].begin < walk->names[first].begin)) first = i;
    return first;
}

/* Reads the next name of a reading. */
static void step(jr_directives *walk, int reading) {
    walk->has_name[reading] = read_on(&walk->readings[reading], &walk->names[reading]);
    walk->visited[reading] = false;
}

bool jr_directives_next(jr_directives *walk, jr_directive_name *name) {
    int first;
    for (int i = 0; i < walk->count; i++)
        if (walk->visited[i]) step(walk, i);
    while ((first = first_reading(walk)) >= 0 && walk->names[first].begin < walk->past) step(walk, first);
    if (first < 0) return false;
    *name = walk->names[first];
    walk->past = name->end;
    for (int i = 0; i < walk->count; i++)
        walk->visited[i] =
            walk->has_name[i] && walk->names[i].begin == name->begin && walk->names[i].kind == name->kind;
    return true;
}
