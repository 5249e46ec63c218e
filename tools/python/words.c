/* What C programs set and name, as Python sets and names it. What stands in quotes is the caller's, and
 * stays. */
#include "words.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

static const struct meant {
    const char *own, *words;
    bool at_start, to_end; /* only where the message begins so; with all that follows */
} meant[] = {
    {.own = "ddof ", .words = "correction=", .at_start = true},
    {.own = "a parameter cannot have the name", .words = "parameters: none can have the name", .at_start = true},
    {.own = "accumulate type ", .words = "accumulate=", .at_start = true},
    {.own = "operator custom ", .words = "a Reduction with combine ", .at_start = true},
    {.own = "segments have algorithms of their own",
     .words = "results along an axis and by key have algorithms of their own",
     .at_start = true},
    {.own = "leave spec.accuracy 0", .words = "leave accuracy \"fast\""},
    {.own = "set spec.accuracy to another JR_ACCURACY_ value", .words = "choose another accuracy"},
    {.own = "set spec.algorithm to 0", .words = "omit algorithm", .to_end = true},
    {.own = " (input_count)", .words = ": pass one more array", .to_end = true},
    {.own = "ask for a result of f64", .words = "result=\"float64\""},
    {.own = "program.include_folders names (jitreduce run: -I FOLDER), and the CUDA toolkit's with "
            "program.toolkit_headers = 1",
     .words = "Kernel(include_folders=...) names, and the CUDA toolkit's with Kernel(toolkit_headers=True)"},
    {.own = "program.include_folders (jitreduce run: -I FOLDER)", .words = "Kernel(include_folders=...)"},
    {.own = "program.include_folders", .words = "Kernel(include_folders=...)"},
    {.own = ": get them by jr_kernels_load", .words = ": name one as entry"},
    {.own = " is a pointer: the parameter is ", .words = " is an array: the parameter is "},
    {.own = "; jr_image_compile takes another one", .words = ""},
    {.own = ", or open a group", .words = "; a group of devices is opened by `python -m jitreduce --device` and in C"},
    {.own = ": copy them to one that is", .words = ": numpy.array(x) makes an aligned copy"},
    {.own = " (spec.initial)", .words = ""},
    {.own = ", or set spec.kept", .words = ""},
    {.own = "; set spec.kept", .words = ""},
    {.own = "leave spec.algorithm (", .words = "omit algorithm", .to_end = true},
};

static void put_words(const struct meant *row, char message[MESSAGE_BYTES]) {
    char made[MESSAGE_BYTES];
    const char *at = strstr(message, row->own);
    if (!at || (row->at_start && at != message)) return;
    snprintf(made, sizeof made, "%.*s%s%s", (int)(at - message), message, row->words,
             row->to_end ? "" : at + strlen(row->own));
    memcpy(message, made, sizeof made);
}

static const struct type_word {
    jr_type type;
    const char *word;
} types[] = {
    {JR_I8, "int8"},
    {JR_I16, "int16"},
    {JR_I32, "int32"},
    {JR_I64, "int64"},
    {JR_U8, "uint8"},
    {JR_U16, "uint16"},
    {JR_U32, "uint32"},
    {JR_U64, "uint64"},
    {JR_F16, "float16"},
    {JR_BF16, "bfloat16"},
    {JR_F32, "float32"},
    {JR_F64, "float64"},
    {JR_E4M3, "float8_e4m3fn"},
    {JR_E5M2, "float8_e5m2"},
};

const char *pj_type_word(jr_type type) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i].type == type) return types[i].word;
    return jr_type_name(type);
}

/* The word of a type that the library names so; NULL: these bytes are no name of one. */
static const char *find_word(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        const char *own = jr_type_name(types[i].type);
        if (strlen(own) == length && memcmp(own, name, length) == 0) return types[i].word;
    }
    return NULL;
}

/* The bytes of what is read at once: a text in quotes, a word (of a path, too), or another character. */
static size_t length_at(const char *at, char before) {
    static const char of_words[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    const char *end = strchr("'\"`", *at) && !isalnum((unsigned char)before) ? strchr(at + 1, *at) : NULL;
    const size_t length = strspn(at, of_words);
    return end ? (size_t)(end + 1 - at) : length > 0 ? length : 1;
}

/* Where types may be named: not where a caller's program or kernel is, which may be called f32 itself. */
static const char *find_types(const char *message) {
    static const char of_launch[] = "argument ";
    const char *at = strncmp(message, of_launch, sizeof of_launch - 1) == 0 ? strstr(message, " is ") : NULL;
    if (at) return at;
    return strstr(message, "program ") || strstr(message, "kernel ") ? message + strlen(message) : message;
}

static void name_types(const char *message, char made[MESSAGE_BYTES]) {
    size_t used = 0;
    char before = ' ';
    for (const char *at = message; *at != '\0';) {
        const size_t length = length_at(at, before);
        const char *word = find_word(at, length);
        const int put = snprintf(made + used, MESSAGE_BYTES - used, "%.*s", word ? (int)strlen(word) : (int)length,
                                 word ? word : at);
        used = used + (size_t)put < MESSAGE_BYTES ? used + (size_t)put : MESSAGE_BYTES - 1;
        before = at[length - 1];
        at += length;
    }
    made[used] = '\0';
}

PyObject *pj_words(const char *message) {
    char plain[MESSAGE_BYTES], made[MESSAGE_BYTES];
    snprintf(plain, sizeof plain, "%s", message);
    for (size_t i = 0; i < sizeof meant / sizeof *meant; i++) put_words(&meant[i], plain);
    char *begin = plain + (find_types(plain) - plain);
    name_types(begin, made);
    snprintf(begin, (size_t)(plain + sizeof plain - begin), "%s", made);
    return PyUnicode_DecodeUTF8(plain, (Py_ssize_t)strlen(plain), "replace");
}
