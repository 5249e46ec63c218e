/* Spellings of options that earlier versions had are errors, each with the exact new spelling. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "options/option_removed.h"
#include "options/option_take.h"
#include "support/cases/cli_line.h"

static const cli_removed rows[] = {
    {"by-key", "--keys"},
    {"cache-dir", "JITREDUCE_CACHE_DIR=DIR jitreduce ..."},
    {"exact", "--accuracy exact"},
    {"graph", "--mode graph"},
    {"hostile", "--data hostile"},
    {"info", "--show resources"},
    {"kept", "--op ...,count"},
    {"latency", "--mode latency"},
    {"no-cache", "JITREDUCE_CACHE_DIR= jitreduce ..."},
    {"no-progress", "--quiet"},
    {"nvrtc", "JITREDUCE_NVRTC=PATH jitreduce ..."},
    {"offsets", "--segments FILE"},
    {"packs", "JITREDUCE_PACKS=LIST jitreduce ..."},
    {"ptx", "--show ptx"},
    {"raw", "--format raw"},
    {"restrict", "--where FORMULA"},
    {"sass", "--show sass"},
    {"seed", "--random N:SEED"},
    {"segment-length", "--segments N"},
    {"struct-alignment", "--struct TEXT alone: the compiler says its alignment"},
    {"struct-bytes", "--struct TEXT alone: the compiler says its size"},
    {"time", "--show time"},
    {"unpack-bytes", "zcat FILE | jitreduce ... -"},
    {"unroll", "--uf"},
    {"warm", "--data warm"},
    {"wisdom", "JITREDUCE_WISDOM=FILE jitreduce ..."},
};
enum { ROWS = sizeof rows / sizeof *rows };

static bool is_option(const char *name, size_t length) {
    for (int i = 0; i < cli_option_count(); i++)
        if (strlen(cli_option_row(i)->name) == length && strncmp(cli_option_row(i)->name, name, length) == 0)
            return true;
    return false;
}

static void assert_refused(const char *line, const cli_removed *row) {
    cli_options options;
    cli_error error = {.message = ""};
    char message[256];
    snprintf(message, sizeof message, "--%s: was removed in version 0.3: write %s", row->old, row->now);
    assert_int_equal(parse(line, &options, &error), CLI_USAGE);
    assert_string_equal(error.message, message);
}

TEST(a_removed_spelling_names_the_new_one) {
    char line[128];
    assert_int_equal(cli_removed_option_count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        snprintf(line, sizeof line, "--%s file", rows[i].old);
        assert_refused(line, &rows[i]);
        snprintf(line, sizeof line, "--iota 3 --%s=file", rows[i].old);
        assert_refused(line, &rows[i]);
    }
}

TEST(what_follows_the_end_of_options_is_a_file) {
    cli_options options;
    cli_error error;
    assert_int_equal(parse("-- --raw", &options, &error), CLI_OK);
    assert_string_equal(options.files[0], "--raw");
}

TEST(a_removed_spelling_is_no_option_and_its_new_one_is) {
    for (int i = 0; i < ROWS; i++) {
        assert_false(is_option(rows[i].old, strlen(rows[i].old)));
        for (const char *at = rows[i].now; (at = strstr(at, "--")) != NULL;) {
            const char *name = at += 2;
            while (isalnum((unsigned char)*at) || *at == '-') at++;
            assert_true(is_option(name, (size_t)(at - name)));
        }
    }
}

RUN_TESTS(NULL, NULL)
