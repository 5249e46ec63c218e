/* Texts of large headers that are kept on disk: another program with the same includes finds them there, while every
 * file is as it was, and its image and its key are the same as without. */
/* cache: own */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jitreduce.h"
#include "support/fixtures/open_context.h"
#include "support/fixtures/scratch.h"

enum { LARGE_BYTES = 300000 };

static char cache[2 * SCRATCH_BYTES], folders_a[2 * SCRATCH_BYTES], folders_b[2 * SCRATCH_BYTES];
static const char *const folders[] = {folders_a, folders_b};

/* A header of many bytes, in folder b, that includes another one. */
static void write_large(int value) {
    char *text = malloc(LARGE_BYTES);
    assert_non_null(text);
    const int length =
        snprintf(text, LARGE_BYTES,
                 "#pragma once\n#include <small.h>\n#if __has_include(\"later.h\")\n#include \"later.h\"\n"
                 "#else\n#define LATER 0\n#endif\n#define LARGE %d\n/*",
                 value);
    memset(text + length, '.', (size_t)(LARGE_BYTES - length - 4));
    snprintf(text + LARGE_BYTES - 4, 4, "*/\n");
    scratch_text(scratch_path(folders_b, "large.h"), text);
    free(text);
}

static int begin(void **state) {
    scratch_begin(state);
    snprintf(cache, sizeof cache, "%s/cache", scratch_own);
    snprintf(folders_a, sizeof folders_a, "%s/a", scratch_own);
    snprintf(folders_b, sizeof folders_b, "%s/b", scratch_own);
    scratch_folder(folders_a);
    scratch_text(scratch_path(folders_b, "small.h"), "#define SMALL 1\n");
    write_large(10);
    return 0;
}

/* What the log said of the headers and of the kernel. */
static int read_headers, found, compiled;

static void hear(void *user, jr_log_level level, const char *line) {
    (void)user;
    (void)level;
    read_headers += strncmp(line, "read ", 5) == 0;
    found += strstr(line, "in the disk cache") != NULL;
    compiled += strncmp(line, "compiled ", 9) == 0;
}

/* Compiles a program; the PTX must store the value. */
static void gets(const char *source, int value) {
    const jr_program program = JR_INIT(jr_program, .name = "texts", .source = source, .entry = "k",
                                       .include_folders = folders, .include_folder_count = 2);
    jr_image *image = NULL;
    char number[16];
    snprintf(number, sizeof number, ", %d;", value);
    read_headers = found = compiled = 0;
    jr_log_set(hear, NULL);
    works(jr_image_compile(&JR_INIT(jr_options, .cache_dir = cache), &program, "compute_90", &image));
    jr_log_set(NULL, NULL);
    if (strstr(jr_image_ptx(image), number) == NULL) fail_msg("no %s in %s", number, jr_image_ptx(image));
    jr_image_destroy(image);
}

#define KERNEL(term)                                                                                                   \
    "#include <large.h>\nextern \"C\" __global__ void k(int *o) { *o = LARGE + SMALL + LATER + " term "; }\n"
static const char one[] = KERNEL("100"), two[] = KERNEL("200"), three[] = KERNEL("300");

TEST_BETWEEN(another_program_with_the_same_includes_reads_no_header, begin, scratch_end) {
    gets(one, 111);
    assert_int_equal(read_headers, 1);
    gets(two, 211);
    assert_int_equal(read_headers, 0);
    assert_int_equal(compiled, 1);
    gets("// another beginning\n" KERNEL("400") "// another end\n", 411);
    assert_int_equal(read_headers, 0);
}

TEST_BETWEEN(its_key_is_the_same_as_without, begin, scratch_end) {
    gets(one, 111);
    gets(two, 211);
    assert_int_equal(setenv("JITREDUCE_PCH_BYTES", "0", 1), 0);
    glob_t manifests;
    char pattern[3 * SCRATCH_BYTES];
    snprintf(pattern, sizeof pattern, "%s/*.jrm", cache);
    assert_int_equal(glob(pattern, 0, NULL, &manifests), 0);
    for (size_t i = 0; i < manifests.gl_pathc; i++) assert_int_equal(unlink(manifests.gl_pathv[i]), 0);
    globfree(&manifests);
    gets(two, 211);
    assert_int_equal(unsetenv("JITREDUCE_PCH_BYTES"), 0);
    assert_int_equal(read_headers, 1);
    assert_int_equal(found, 1);
    assert_int_equal(compiled, 0);
}

TEST_BETWEEN(a_header_that_changed_is_read_again, begin, scratch_end) {
    gets(one, 111);
    write_large(20);
    gets(two, 221);
    assert_int_equal(read_headers, 1);
    gets(three, 321);
    assert_int_equal(read_headers, 0);
    scratch_text(scratch_path(folders_b, "small.h"), "#define SMALL 2\n");
    gets(KERNEL("500"), 522);
    assert_int_equal(read_headers, 1);
}

TEST_BETWEEN(a_header_that_comes_later_is_found, begin, scratch_end) {
    gets(one, 111);
    scratch_text(scratch_path(folders_a, "small.h"), "#define SMALL 3\n"); /* before the other folder's */
    gets(two, 213);
    scratch_text(scratch_path(folders_b, "later.h"), "#define LATER 5\n"); /* which __has_include asked for */
    gets(three, 318);
}

TEST_BETWEEN(other_directives_find_other_headers, begin, scratch_end) {
    scratch_text(scratch_path(folders_b, "other.h"), "#define OTHER 7\n");
    gets(one, 111);
    gets("#include <large.h>\n#include <other.h>\nextern \"C\" __global__ void k(int *o) { *o = LARGE + OTHER; }\n",
         17);
    assert_int_equal(read_headers, 1);
    gets("#define NAME <other.h>\n#include <large.h>\n#include NAME\n"
         "extern \"C\" __global__ void k(int *o) { *o = LARGE + OTHER + 30; }\n",
         47);
    scratch_text(scratch_path(folders_b, "third.h"), "#define OTHER 8\n");
    gets("#define NAME <third.h>\n#include <large.h>\n#include NAME\n"
         "extern \"C\" __global__ void k(int *o) { *o = LARGE + OTHER + 30; }\n",
         48);
}

TEST_BETWEEN(what_is_damaged_is_read_again, begin, scratch_end) {
    char pattern[3 * SCRATCH_BYTES];
    const long cuts[] = {0, 1, 7, 8, 31, 40, 100, 700, LARGE_BYTES};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        char text[200];
        glob_t kept;
        snprintf(text, sizeof text, KERNEL("%d"), (int)(1000 + 10 * i));
        gets(text, (int)(1011 + 10 * i));
        snprintf(pattern, sizeof pattern, "%s/pch/*.txt", cache);
        assert_int_equal(glob(pattern, 0, NULL, &kept), 0);
        assert_int_equal(kept.gl_pathc, 1);
        if (i % 2 == 0)
            assert_int_equal(truncate(kept.gl_pathv[0], cuts[i]), 0);
        else
            scratch_text(kept.gl_pathv[0], "jitreduce header texts 1");
        globfree(&kept);
        snprintf(text, sizeof text, KERNEL("%d"), (int)(2000 + 10 * i));
        gets(text, (int)(2011 + 10 * i));
        assert_int_equal(read_headers, 1);
    }
}

TEST_BETWEEN(small_headers_are_not_kept, begin, scratch_end) {
    scratch_text(scratch_path(folders_b, "large.h"), "#include \"small.h\"\n#define LARGE 10\n#define LATER 0\n");
    gets(one, 111);
    gets(two, 211);
    assert_int_equal(read_headers, 1);
}

RUN_TESTS(NULL, NULL)
