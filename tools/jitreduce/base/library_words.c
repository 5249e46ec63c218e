/* Replaces phrases, then what is left of members. */
#include "library_words.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What C asks for, from its first words to its last ones, and what the command line has for it. */
static const struct {
    const char *first, *last, *option;
} phrases[] = {
    {"has no value: give an initial value", " (spec.initial)", "has no value: --initial V gives it one"},
    {"has no value, and where keeps none: give an initial value", " (spec.initial)",
     "has no value: --initial V gives it one"},
    {"has no value, and where keeps none", "", "has no value"},
    {"give an initial value", "", "give --initial V"},
    {"set spec.algorithm to 0 or to one that scan.h lists", "", "leave --algorithm out"},
    {"set spec.algorithm to 0", "", "leave --algorithm out"},
    {"leave the algorithm to the library", "", "leave --algorithm out"},
    {"leave spec.algorithm (", ") 0", "leave --algorithm, --shared and --max-launch-ms out"},
    {"set spec.accuracy to another JR_ACCURACY_ value", "", "give another --accuracy"},
    {"leave spec.accuracy 0", "", "leave --accuracy out"},
    {"folders are searched that program.include_folders names", "program.toolkit_headers = 1",
     "-I FOLDER names another folder"},
    {"give its text as one of program.headers", "(jitreduce run: -I FOLDER)", "name its folder by -I FOLDER"},
    {"name folders as program.include_folders", "headers by toolkit_headers",
     "name folders by -I FOLDER; the CUDA toolkit's is searched without it"},
    {"beyond device_bytes", "", "beyond --device-bytes"},
    {"map_type is set, but there is no map expression", "", "--map-type: needs --map"},
    {": set map_type", "", ": give --map-type"},
    {": set accumulate", "", ": give --accumulate"},
    {": set the type of the result", "", ": give --result"},
    {"accumulate type ", "", "--accumulate: "},
    {"ddof -", "", "--ddof: -"},
    {"a map type of ", "", "--map-type "},
    {"a result of i64 says", "", "--result i64 says"},
    {"its devices; use one device", "", "its devices; name one by --device"},
    {"the spec has ", "or where",
     "--type: lists more types than there are inputs: give one, or name further inputs by --column K,L or -y FILE"},
    {"operator custom needs the expressions combine and identity", "",
     "an operator of your own needs --combine and --identity, as --combine 'a * b' --identity 1"},
    {"finish and initial go with one operator, not with a list", "",
     "--finish and --initial go with one operator, not with a list: give each operator its own command"},
    {" (spec.op_count)", "", ""},
    {" (spec.input_count)", "", ""},
    {", or set spec.kept", "", ""},
    {"; set spec.kept", "", ""},
    {": close all contexts of this device", "then open a new one", ""},
    {". This process cannot use the device", "start a new one", ""},
    {"or use the simulator (device \"sim\")", "", "or use the simulator"},
};

/* Replaces `length` bytes at `at` by a text. */
static void replace(char *message, size_t bytes, char *at, size_t length, const char *text) {
    char rest[2048];
    snprintf(rest, sizeof rest, "%s", at + length);
    snprintf(at, bytes - (size_t)(at - message), "%s%s", text, rest);
}

void cli_name_options(char *message, size_t bytes) {
    static const char member[] = "spec.";
    for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++) {
        char *at = strstr(message, phrases[i].first), *end = at;
        if (at != NULL) end = strstr(at + strlen(phrases[i].first), phrases[i].last);
        if (end != NULL && at != NULL)
            replace(message, bytes, at, (size_t)(end - at) + strlen(phrases[i].last), phrases[i].option);
    }
    for (char *at = message; (at = strstr(at, member)) != NULL; at++) {
        if (at > message && (isalnum((unsigned char)at[-1]) || at[-1] == '_')) continue;
        replace(message, bytes, at, sizeof member - 1, "--");
        for (char *c = at + 2; isalnum((unsigned char)*c) || *c == '_'; c++)
            if (*c == '_') *c = '-';
    }
}
