/* The contract: the constants that the host writes, those that contract.cuh checks and those that kernels ask for are
 * the same: one that is absent would silently be 0 in an #if. Each has words for a user. */
#include <ctype.h>
#include <string.h>

#include "program/constants.h"
#include "program/request_words.h"
#include "program/sources.h"
#include "support/fixtures/check.h"

enum { NAMES_MAX = 64, NAME_BYTES = 64 };

typedef struct names {
    char text[NAMES_MAX][NAME_BYTES];
    size_t count;
} names;

static int holds(const names *list, const char *name) {
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->text[i], name) == 0) return 1;
    return 0;
}

static void add(names *list, const char *name, size_t bytes) {
    char text[NAME_BYTES];
    assert_in_range(bytes, 1, NAME_BYTES - 1);
    memcpy(text, name, bytes);
    text[bytes] = '\0';
    if (holds(list, text)) return;
    assert_in_range(list->count, 0, NAMES_MAX - 1);
    memcpy(list->text[list->count++], text, bytes + 1);
}

/* Adds the names "JR_..." of a piece of text. */
static void add_names_in(names *list, const char *from, const char *end) {
    for (const char *at = from; at < end; at++) {
        if (strncmp(at, "JR_", 3) != 0 || (at > from && (isalnum((unsigned char)at[-1]) || at[-1] == '_'))) continue;
        size_t bytes = 3;
        while (isalnum((unsigned char)at[bytes]) || at[bytes] == '_') bytes++;
        add(list, at, bytes);
        at += bytes;
    }
}

/* Adds what a text's directives of one kind name, "#if" also for #ifdef, #ifndef; with what follows the name. */
static void add_directives(names *list, const char *text, const char *directive) {
    for (const char *line = text; line != NULL && *line != '\0'; line = strchr(line, '\n')) {
        if (*line == '\n') line++;
        const char *end = line + strcspn(line, "\n"), *comment = strstr(line, "//");
        if (comment != NULL && comment < end) end = comment;
        if (strncmp(line, directive, strlen(directive)) == 0) add_names_in(list, line, end);
    }
}

static void add_written(names *list, const jr_spec *spec, const jr_tuning *tuning) {
    const jr_segment_layout keys = {.size = sizeof keys, .kind = JR_SEGMENTS_KEYS, .key_type = JR_F16};
    jr_constants constants;
    jr_reduction *reduction;
    assert_int_equal(jr_reduction_create(spec, &reduction), JR_OK);
    jr_constants_of(reduction, tuning, tuning->stages > 0 ? &keys : NULL, &constants);
    for (size_t i = 0; i < constants.count; i++) add(list, constants.items[i].name, strlen(constants.items[i].name));
    jr_reduction_destroy(reduction);
}

/* What the host writes for one kernel or another. */
static names written_names(void) {
    static const jr_tuning tunings[] = {{.algorithm = JR_ALGORITHM_SINGLE_PASS, .unroll = 4, .block = 256},
                                        {.algorithm = JR_ALGORITHM_BULK_COPY, .unroll = 3, .block = 512, .stages = 4}};
    const jr_value initial = {JR_F32, {.f32 = 1}};
    const jr_op list[] = {JR_OP_ARGMIN, JR_OP_MEAN, JR_OP_ANY};
    const jr_spec specs[] = {
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32},
        {.size = sizeof(jr_spec), .op = JR_OP_SUM, .type = JR_F32, .initial = &initial, .nan = JR_NAN_IGNORE},
        {.size = sizeof(jr_spec), .ops = list, .op_count = 3, .type = JR_U8},
        {.size = sizeof(jr_spec),
         .op = JR_OP_SUM,
         .type = JR_I64,
         .input_count = 4,
         .map = "x + y + z + w",
         .where = "x > 0"},
        {.size = sizeof(jr_spec),
         .op = JR_OP_CUSTOM,
         .type = JR_I32,
         .combine = "a + b",
         .identity = "0",
         .finish = "a"}};
    names written = {.count = 0};
    for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++)
        for (size_t t = 0; t < sizeof tunings / sizeof tunings[0]; t++) add_written(&written, &specs[s], &tunings[t]);
    return written;
}

static names checked_names(void) {
    names checked = {.count = 0};
    const char *contract = jr_sources_find("core/contract.cuh");
    assert_non_null(contract);
    add_directives(&checked, contract, "#if");
    add_directives(&checked, contract, "    JR_"); /* the numbers, a line each */
    return checked;
}

TEST(every_constant_that_the_host_writes_is_checked) {
    const names written = written_names(), checked = checked_names();
    assert_in_range(written.count, 20, NAMES_MAX);
    for (size_t i = 0; i < written.count; i++)
        if (!holds(&checked, written.text[i]))
            fail_msg("contract.cuh lacks %s, which constants.c writes", written.text[i]);
}

/* The reason of a compile names it so. */
TEST(every_constant_that_the_host_writes_has_words) {
    const names written = written_names();
    for (size_t i = 0; i < written.count; i++)
        if (jr_request_words_find(written.text[i]) == NULL)
            fail_msg("request_words.c lacks %s, which constants.c writes", written.text[i]);
}

TEST(nothing_is_checked_that_the_host_does_not_write) {
    const names written = written_names(), checked = checked_names();
    for (size_t i = 0; i < checked.count; i++)
        if (!holds(&written, checked.text[i])) fail_msg("contract.cuh checks %s, which nobody writes", checked.text[i]);
}

/* But for what kernels define themselves. */
TEST(kernels_ask_for_no_constant_that_the_contract_does_not_check) {
    static names asked, defined;
    const names checked = checked_names();
    asked.count = defined.count = 0;
    for (size_t i = 0; i < jr_embedded_source_count; i++) {
        add_directives(&asked, jr_embedded_sources[i].text, "#if");
        add_directives(&asked, jr_embedded_sources[i].text, "#elif");
    }
    for (size_t i = 0; i < jr_embedded_source_count; i++)
        for (size_t n = 0; n < asked.count; n++) {
            char definition[NAME_BYTES + 16] = "#define ";
            strcat(definition, asked.text[n]);
            if (strstr(jr_embedded_sources[i].text, definition) != NULL)
                add(&defined, asked.text[n], strlen(asked.text[n]));
        }
    assert_true(holds(&asked, "JR_SKIP_NAN"));
    for (size_t n = 0; n < asked.count; n++)
        if (!holds(&checked, asked.text[n]) && !holds(&defined, asked.text[n]))
            fail_msg("a kernel asks for %s, which contract.cuh does not check", asked.text[n]);
}

RUN_TESTS(NULL, NULL)
