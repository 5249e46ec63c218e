/* The table of refused words and signs. */
#include "refused.h"

#include <string.h>

/* Spellings that share a reason, separated by blanks. A word that ends in '*' stands for all that begin with it.
 *
 * Without pointer types, addresses, indices and these functions no expression reaches memory that is not its own.
 * Functions with a pointer parameter are among them because they take a plain 0 for it. */
static const struct {
    const char *spellings, *reason;
} rows[] = {
    {"#", "it begins a preprocessor directive"},
    {"%: %:%: <% %> <: :> ?\?= ?\?/ ?\?' ?\?( ?\?) ?\?! ?\?< ?\?> ?\?-", "it is a second spelling of another sign"},
    {";", "it ends a statement, and an expression is only a value"},
    {"{ }", "braces belong to statements and declarations, and an expression is only a value"},
    {"$", "no expression has this character: an element is x, and a number from outside a parameter"},
    {"\\ @ `", "no expression has this character"},
    {"\"", "a string is not a value to compute with"},
    {"'", "write a number, without quotes"},
    {"//", "comments are not allowed; a quotient without its fraction is floor(x / 2.0)"},
    {"/* */", "comments are not allowed"},
    {"=", "it assigns, and an expression may only compute; == compares"},
    {"+= -= *= /= %= &= |= ^= <<= >>= ++ --", "it assigns, and an expression may only compute"},
    {"[ ]", "x is one element, and i its index; a struct's array becomes members of their own"},
    {"-> ->* .*", "it goes through a pointer; a member is a.key, and an expression the value alone, as x * x"},
    {"::", "names of other scopes are out of reach"},
    {"<<<", "it launches a kernel"},
    {"and", "write the operator's sign, &&"},
    {"or", "write the operator's sign, ||"},
    {"not", "write the operator's sign, !"},
    {"xor bitand bitor compl and_eq or_eq xor_eq not_eq", "write the operator's sign, as && for and"},
    {"if else case", "an expression chooses with ? and :, as x > 0 ? x : 0"},
    {"asm goto return for while do switch default break continue throw try catch static_assert co_await "
     "co_yield co_return",
     "it belongs to statements, and an expression is only a value"},
    {"alignas auto class concept const consteval constexpr constinit decltype enum explicit export extern friend "
     "inline mutable namespace noexcept operator private protected public register requires static struct template "
     "thread_local typedef typeid typename typeof union using virtual volatile",
     "it belongs to declarations, and an expression is only a value"},
    {"void", "it is not a value"},
    {"reinterpret_cast const_cast dynamic_cast", "convert with float(x) or (float)x"},
    {"nullptr NULL", "it is a pointer: isnan(x) finds a missing number"},
    {"this va_arg va_copy va_end va_list va_start", "it is a pointer"},
    {"new delete alloca calloc free malloc memcpy memmove memset realloc", "it handles memory"},
    {"atomic* cuda* surf1D* surf2D* surf3D* surfCubemap* tex1D* tex2D* tex3D* texCubemap*", "it handles memory"},
    {"nan nanf", "it takes a pointer: write NAN"},
    {"frexp frexpf modf modff norm normf remquo remquof rnorm rnormf sincos sincosf sincospi sincospif",
     "it takes a pointer"},
    {"jn jnf yn ynf", "it runs for as long as its first argument says"},
    {"abort assert brkpt exit trap", "it stops the kernel"},
    {"fprintf printf puts vprintf", "it prints"},
    {"clock clock64", "a result must not depend on the time"},
    {"blockDim blockIdx clusterDim clusterIdx gridDim threadIdx warpSize",
     "a result must not depend on the thread that computes it"},
    {"jr_* JR_*", "names with this beginning are the library's own"},
};

static bool has_double_underscore(jr_token word) {
    for (size_t i = 1; i < word.length; i++)
        if (word.text[i - 1] == '_' && word.text[i] == '_') return true;
    return false;
}

/* Names that the C++ standard keeps for the compiler, [lex.name]. */
static bool is_reserved(jr_token word) {
    return has_double_underscore(word) ||
           (word.length > 1 && word.text[0] == '_' && word.text[1] >= 'A' && word.text[1] <= 'Z');
}

/* Whether a row has the word itself, or a beginning of it that is marked with '*'. */
static bool covers(const char *spellings, jr_token word) {
    if (jr_token_is_one_of(word, spellings)) return true;
    for (const char *star = strchr(spellings, '*'); star != NULL; star = strchr(star + 1, '*')) {
        const char *begin = star;
        while (begin > spellings && begin[-1] != ' ') begin--;
        const size_t length = (size_t)(star - begin);
        if (length > 0 && length <= word.length && memcmp(begin, word.text, length) == 0) return true;
    }
    return false;
}

const char *jr_refused_reason(jr_token token) {
    const bool word = token.kind == JR_TOKEN_WORD;
    if (word && is_reserved(token)) return "names with __ or _ and a capital are the compiler's own";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (word ? covers(rows[i].spellings, token) : jr_token_is_one_of(token, rows[i].spellings))
            return rows[i].reason;
    return NULL;
}
