/* Explains unknown names: variables of other expressions, words of other languages, and slips of the keyboard. */
#include "meant.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "functions.h"

/* Variables, wherever they are known. */
static const struct {
    const char *word, *meaning;
} variables[] = {{"x", "an element, which map and where are given"},
                 {"y", "an element of the second input, which map and where are given"},
                 {"z", "an element of the third input, which map and where are given"},
                 {"w", "an element of the fourth input, which map and where are given"},
                 {"i", "the index of an element, which map and where are given"},
                 {"a", "one of the two values of combine, and the result in finish"},
                 {"b", "one of the two values of combine"},
                 {"n", "the number of elements, which finish is given"}};

/* What Python, SQL, awk and spreadsheets call what C writes in another way. */
static const struct {
    const char *words, *advice;
} others[] = {
    {"True TRUE", "write true"},
    {"False FALSE", "write false"},
    {"AND And", "write &&"},
    {"OR Or", "write ||"},
    {"NOT Not", "write !"},
    {"XOR", "write ^"},
    {"inf Inf INF infinity Infinity HUGE_VAL", "write INFINITY"},
    {"NaN Nan na NA None none null nil", "write NAN for a missing number; isnan(x) finds one"},
    {"FLT_MAX DBL_MAX HUGE_VALF", "write INFINITY, or the number, as 3.4e38"},
    {"INT_MAX INT32_MAX", "write 2147483647"},
    {"INT_MIN INT32_MIN", "write -2147483647 - 1"},
    {"LONG_MAX LLONG_MAX INT64_MAX", "write 9223372036854775807"},
    {"LONG_MIN LLONG_MIN INT64_MIN", "write -9223372036854775807 - 1"},
    {"UINT_MAX UINT32_MAX", "write 4294967295u"},
    {"ULONG_MAX ULLONG_MAX UINT64_MAX SIZE_MAX", "write 18446744073709551615u"},
    {"FLT_EPSILON", "write 0x1p-23f"},
    {"DBL_EPSILON", "write 0x1p-52"},
    {"FLT_MIN", "write 0x1p-126f"},
    {"DBL_MIN", "write 0x1p-1022"},
    {"int8_t", "write signed char"},
    {"uint8_t", "write unsigned char"},
    {"int16_t", "write short"},
    {"uint16_t", "write unsigned short"},
    {"int32_t int_fast32_t", "write int"},
    {"uint32_t uint", "write unsigned"},
    {"int64_t intptr_t ssize_t ptrdiff_t", "write long long"},
    {"uint64_t uintptr_t", "write unsigned long long"},
    {"pi PI M_PI", "write 3.141592653589793"},
    {"e E M_E", "write exp(1.0)"},
    {"square sqr", "write x * x"},
    {"sqroot squareroot root", "write sqrt(x)"},
    {"arcsin", "write asin(x)"},
    {"arccos", "write acos(x)"},
    {"arctan", "write atan(x)"},
    {"where select", "write condition ? one : other"},
    {"x1 x0", "the first input is x"},
    {"x2", "the second input is y"},
    {"power", "write pow(x, 2)"},
    {"ln", "write log(x)"},
    {"ceiling", "write ceil(x)"},
    {"absolute", "write fabs(x)"},
    {"mod MOD", "write x % 2, or of floats fmod(x, 2)"},
    {"sgn sign", "write (x > 0) - (x < 0)"},
    {"clip clamp", "write min(max(x, low), high)"},
    {"maximum", "write max(x, y)"},
    {"minimum", "write min(x, y)"},
    {"greatest", "a parameter of that name is not given; the greater of two numbers is max(x, y)"},
    {"least", "a parameter of that name is not given; the lesser of two numbers is min(x, y)"},
    {"iif ifelse IIF IF then when THEN WHEN", "write condition ? one : other"},
    {"between BETWEEN", "write low <= x && x <= high"},
    {"in IN", "write x == 1 || x == 2"},
    {"is IS", "isnan(x) finds a missing number, and x == y compares"},
    {"lambda", "write the value alone, as x * x"},
    {"np numpy math torch cupy cp std Math cmath", "write a function's name alone, as sqrt(x)"},
    {"sum SUM total mean avg AVG average median std stddev var variance argmin argmax prod cumsum any all",
     "it takes all elements, and an expression sees one: it is an operator's name"},
    {"len length size count COUNT N NR", "the number of elements is n, which finish is given"},
    {"index idx row", "the index of an element is i, which map and where are given"},
};

static const char *const known[] = {
#define NAME(name, weight, single, gives) #name,
    JR_FUNCTIONS(NAME)
#undef NAME
        "true",
    "false",
    "INFINITY",
    "NAN",
    "float",
    "double",
    "sizeof"};

/* Keeps a word that is nearer than *nearest. */
static void offer(jr_token typed, const char *word, const char **nearest, size_t *distance) {
    const size_t slips = jr_nearest_slips(typed.text, typed.length, word, strlen(word));
    if (slips >= *distance || slips >= typed.length) return;
    *nearest = word;
    *distance = slips;
}

/* The known name with an edit distance of at most one (two for a long name); NULL: no name is so near. */
static const char *find_nearest(const jr_names *names, jr_token word) {
    const char *nearest = NULL;
    size_t distance = jr_nearest_most(word.length) + 1;
    for (int i = 0; i < names->parameter_count; i++) offer(word, names->parameters[i].name, &nearest, &distance);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) offer(word, known[i], &nearest, &distance);
    return nearest;
}

/* Writes the variables that an expression has: those of inputs of which there are arrays. */
static void write_variables(const jr_names *names, char *text, size_t bytes) {
    size_t used = 0;
    char unused[4];
    text[0] = '\0';
    for (jr_token token = jr_token_next(names->variables); token.kind != JR_TOKEN_END;
         token = jr_token_next(token.text + token.length)) {
        if (jr_meant_input(names, token, unused, sizeof unused)) continue;
        const int length =
            snprintf(text + used, bytes - used, "%s%.*s", used > 0 ? " " : "", (int)token.length, token.text);
        used += (size_t)length;
        if (used >= bytes) used = bytes - 1;
    }
}

bool jr_meant_input(const jr_names *names, jr_token word, char *reason, size_t bytes) {
    static const char *const ordinals[] = {"first", "second", "third", "fourth"};
    static const char *const counts[] = {"none", "one", "two", "three"};
    static const char letters[] = "xyzw";
    const char *letter = word.length == 1 ? strchr(letters, *word.text) : NULL;
    const int index = letter != NULL ? (int)(letter - letters) : 0;
    if (letter == NULL || names->input_count <= 0 || index < names->input_count) return false;
    if (!jr_token_is_one_of(word, names->variables)) return false;
    snprintf(reason, bytes, "%c is the %s input, and there %s %s (input_count)", *letter, ordinals[index],
             names->input_count == 1 ? "is" : "are", counts[names->input_count]);
    return true;
}

/* "here are x i" */
static void explain_variable(const jr_names *names, const char *word, const char *meaning, char *reason, size_t bytes) {
    char here[32];
    write_variables(names, here, sizeof here);
    snprintf(reason, bytes, "%s is %s; %s has %s", word, meaning, names->what, *here != '\0' ? here : "no variables");
}

/* float32(x), int32_t(x): no function, whatever the struct declares. */
static bool is_type(jr_token word) {
    return word.length > 2 && memcmp(word.text + word.length - 2, "_t", 2) == 0;
}

void jr_meant(const jr_names *names, jr_token word, char *reason, size_t bytes) {
    char here[32];
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        if (jr_token_is_one_of(word, variables[i].word)) {
            explain_variable(names, variables[i].word, variables[i].meaning, reason, bytes);
            return;
        }
    if (names->structure != NULL && jr_token_is_one_of(jr_token_next(word.text + word.length), "(") && !is_type(word)) {
        snprintf(reason, bytes,
                 "this name is unknown here: if it is a function of yours, declare it in the struct's text, as "
                 "'__device__ %.64s %.*s() { return {...}; }'",
                 names->structure->name, word.length < 40 ? (int)word.length : 40, word.text);
        return;
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (jr_token_is_one_of(word, others[i].words)) {
            snprintf(reason, bytes, "this name is unknown here: %s", others[i].advice);
            return;
        }
    const char *nearest = find_nearest(names, word);
    write_variables(names, here, sizeof here);
    const char variable[2] = {word.length == 1 ? (char)tolower((unsigned char)*word.text) : '\0', '\0'};
    if (nearest == NULL && *variable != '\0' && strchr(here, *variable) != NULL) nearest = variable;
    if (names->parameters != NULL && names->parameter_count == 0)
        snprintf(reason, bytes, "this name is unknown here: spec.parameters is set, but spec.parameter_count is 0");
    else if (nearest != NULL)
        snprintf(reason, bytes, "this name is unknown here: did you mean '%s'?", nearest);
    else
        snprintf(reason, bytes, "this name is unknown here: there are %s%sparameters%s and functions, as sqrt(x)", here,
                 *here != '\0' ? ", " : "", names->structure != NULL ? ", the struct's names" : "");
}

bool jr_meant_brace(const jr_names *names, jr_token token, char *reason, size_t bytes) {
    if (names->structure == NULL || !jr_token_is_one_of(token, "{")) return false;
    const char *name = names->structure->name;
    snprintf(reason, bytes,
             "braces belong to statements and declarations: to make a %.64s, add '__device__ %.64s make() { return "
             "{...}; }' to the struct's text, and write make()",
             name, name);
    return true;
}
