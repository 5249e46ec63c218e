/* Packs that JITREDUCE_PACK_RECORD asks for: a context that closes adds what it used; the next boot needs no NVRTC. */
/* cache: own */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/fixtures/kernel_case.h"
#include "support/fixtures/pack_case.h"

enum { THREADS = 6, ANSWER_BYTES = 128 };

/* ---- what is heard of the log ---- */

static char heard[1 << 16];
static pthread_mutex_t heard_lock = PTHREAD_MUTEX_INITIALIZER;

static void hear(void *user, jr_log_level level, const char *message) {
    (void)user;
    if (level != JR_LOG_WARNING && level != JR_LOG_ERROR) return;
    pthread_mutex_lock(&heard_lock);
    const size_t length = strlen(heard);
    snprintf(heard + length, sizeof heard - length, "%s\n", message);
    pthread_mutex_unlock(&heard_lock);
}

static void assert_heard(const char *text) {
    if (strstr(heard, text) == NULL) fail_msg("the log has no '%s':\n%s", text, heard);
}

/* ---- fixtures ---- */

static int begin(void **state) {
    (void)state;
    heard[0] = '\0';
    jr_log_set(hear, NULL);
    unlink(pack_path);
    setenv("JITREDUCE_PACK_RECORD", pack_path, 1);
    return 0;
}

static int end(void **state) {
    (void)state;
    jr_log_set(NULL, NULL);
    unsetenv("JITREDUCE_PACK_RECORD");
    return 0;
}

static void wish(const char *architectures) {
    char text[3 * SCRATCH_BYTES];
    snprintf(text, sizeof text, "%s:%s", pack_path, architectures);
    setenv("JITREDUCE_PACK_RECORD", text, 1);
}

/* A program whose kernel writes an answer, under a name of its own. */
static jr_program program_of(int answer, char source[ANSWER_BYTES]) {
    snprintf(source, ANSWER_BYTES, "extern \"C\" __global__ void k(int *o) { *o = %d; }\n", answer);
    return JR_INIT(jr_program, .name = "answer", .source = source, .entry = "k");
}

static opened with_no_packs(const opened *device) {
    return pack_open(device, JR_INIT(jr_options, .packs = ""));
}

/* A context that loads the kernel of an answer, and closes. */
static void use(const opened *device, int answer) {
    char source[ANSWER_BYTES];
    const jr_program program = program_of(answer, source);
    opened made = with_no_packs(device);
    kernel_new(&made, &program);
    jr_context_close(made.context);
}

static void assert_is_packed(const opened *packed, int answer) {
    char source[ANSWER_BYTES];
    const jr_program program = program_of(answer, source);
    assert_int_equal(kernel_answer(packed, kernel_new(packed, &program)), answer);
    assert_int_equal(pack_origin(packed), JR_ORIGIN_PACK);
}

static jr_pack_info look(void) {
    jr_pack_info info = JR_INIT(jr_pack_info);
    works(jr_pack_look(pack_path, &info));
    return info;
}

/* ---- what is recorded ---- */

TEST_BETWEEN(a_run_records_its_kernels_and_the_next_one_needs_no_compiler, begin, end) {
    const opened *device = *state;
    static const float data[] = {1, 2, 3, 4};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_F32);
    jr_value value;
    char source[ANSWER_BYTES];
    jr_program program = program_of(7, source);
    program.entry = NULL; /* the only one */
    opened made = with_no_packs(device);
    works(jr_reduce_host(made.context, &spec, data, 4, &value));
    kernel_new(&made, &program);
    jr_context_close(made.context);
    assert_string_equal(heard, "");
    opened packed = pack_open(device, pack_hidden);
    works(jr_reduce_host(packed.context, &spec, data, 4, &value));
    assert_int_equal((int)value.as.f32, 10);
    assert_is_packed(&packed, 7);
    assert_int_equal(kernel_answer(&packed, kernel_new(&packed, &program)), 7);
    assert_int_equal(pack_counters(&packed).compiles, 0);
    jr_context_close(packed.context);
}

TEST_BETWEEN(a_run_that_finds_all_in_the_pack_opens_no_compiler_and_leaves_the_file, begin, end) {
    const opened *device = *state;
    struct stat before, after;
    use(device, 7);
    assert_int_equal(stat(pack_path, &before), 0);
    opened packed = pack_open(device, pack_hidden);
    assert_is_packed(&packed, 7);
    jr_context_close(packed.context);
    use(device, 7);
    assert_int_equal(stat(pack_path, &after), 0);
    assert_int_equal(before.st_ino, after.st_ino);
    assert_string_equal(heard, "");
}

TEST_BETWEEN(a_pack_that_is_there_is_added_to_in_all_its_architectures, begin, end) {
    const opened *device = *state;
    wish("sm_80,sm_100");
    use(device, 1);
    assert_string_equal(look().architectures, "sm_100 sm_80");
    wish("sim,sm_86,sim");
    use(device, 2);
    assert_string_equal(look().architectures, "compute_90 sm_100 sm_80 sm_86");
    assert_int_equal(look().image_count, 4);
    wish("sm_80");
    use(device, 2);
    use(device, 2);
    assert_int_equal(look().image_count, 5);
    assert_string_equal(heard, "");
}

static void *use_in_thread(void *opaque) {
    static atomic_int next = 10;
    use(opaque, atomic_fetch_add(&next, 1));
    return NULL;
}

TEST_BETWEEN(contexts_that_close_at_once_lose_nothing_of_each_other, begin, end) {
    const opened *device = *state;
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, use_in_thread, (void *)(uintptr_t)device), 0);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    assert_int_equal(look().image_count, THREADS);
    opened packed = pack_open(device, pack_hidden);
    for (int i = 0; i < THREADS; i++) assert_is_packed(&packed, 10 + i);
    jr_context_close(packed.context);
    assert_int_equal(scratch_count(pack_folder), 1); /* nothing half-written, no file of locks */
}

TEST_BETWEEN(the_contexts_of_a_group_record_what_they_used, begin, end) {
    const opened *device = *state;
    if (!device->info.simulated) skip();
    static const int data[] = {1, 2, 3, 4};
    const jr_spec spec = JR_INIT(jr_spec, .op = JR_OP_SUM, .type = JR_I32);
    jr_group *group = NULL;
    jr_value value;
    works(jr_group_open(&JR_INIT(jr_group_options, .devices = "sim:2"), &group));
    works(jr_work_group_host(group, WORK(&spec), DATA(.in = FROM(data), .count = 4, .values = &value)));
    jr_group_close(group);
    assert_true(look().image_count > 0);
}

/* ---- what is not ---- */

TEST_BETWEEN(a_program_with_folders_or_an_architecture_that_it_refuses_is_named_and_left_out, begin, end) {
    const opened *device = *state;
    static const char *const folders[] = {"."};
    char source[ANSWER_BYTES];
    jr_program program = program_of(7, source);
    program.name = "of_folders";
    program.include_folders = folders;
    program.include_folder_count = 1;
    wish("sim,sm_80");
    opened made = with_no_packs(device);
    kernel_new(&made, &program);
    program = program_of(8, source);
    program.name = "picky";
    program.source = "#if __CUDA_ARCH__ == 800\n#error not here\n#endif\n"
                     "extern \"C\" __global__ void k(int *o) { *o = 1; }\n";
    kernel_new(&made, &program);
    jr_context_close(made.context);
    assert_heard("of_folders is not recorded in ");
    assert_heard("it finds files in folders; give the files as headers");
    assert_heard("picky is not recorded in ");
    assert_heard(" for sm_80: ");
    assert_string_equal(look().architectures, "compute_90 sm_80");
    assert_int_equal(look().image_count, 1);
}

TEST_BETWEEN(an_image_that_was_compiled_for_no_launch_is_no_part_of_it, begin, end) {
    const opened *device = *state;
    char source[ANSWER_BYTES];
    const jr_program program = program_of(7, source);
    jr_image *image = NULL;
    opened made = with_no_packs(device);
    works(jr_image_compile_for(made.context, &program, &image));
    jr_image_destroy(image);
    jr_context_close(made.context);
    assert_int_equal(access(pack_path, F_OK), -1);
}

TEST_BETWEEN(a_file_that_is_no_pack_stays_and_the_log_names_it, begin, end) {
    const opened *device = *state;
    size_t bytes;
    char notes[1000];
    memset(notes, 'x', sizeof notes);
    scratch_write(pack_path, notes, sizeof notes);
    use(device, 7);
    assert_heard("the pack ");
    assert_heard(pack_path);
    assert_heard("it does not begin as a pack does");
    char *kept = scratch_read(pack_path, &bytes);
    assert_int_equal(bytes, sizeof notes);
    assert_memory_equal(kept, notes, sizeof notes);
}

TEST_BETWEEN(an_empty_file_and_a_pack_that_is_damaged_or_of_another_version_are_replaced, begin, end) {
    const opened *device = *state;
    size_t bytes;
    scratch_text(pack_path, "");
    use(device, 7);
    assert_int_equal(look().image_count, 1);
    for (int damage = 0; damage < 3; damage++) {
        char *content = scratch_read(pack_path, &bytes);
        content[damage == 0 ? 32 : damage == 1 ? 140 : bytes - 40] ^= 1; /* the version, a section, an image */
        scratch_write(pack_path, content, bytes);
        use(device, 8 + damage);
        assert_int_equal(look().image_count, 1);
    }
    assert_heard("an image of a pack is not kept: ");
}

TEST_BETWEEN(a_place_that_cannot_be_written_is_named_when_the_context_opens, begin, end) {
    const opened *device = *state;
    static const char *const cases[][2] = {{"/no/folder/a.jrpack", "its folder is not there"},
                                           {"/tmp/", "it names a folder"},
                                           {"a.jrpack:sm_80,nonsense", "'sm_80,nonsense' after its ':' is not a list"},
                                           {"a.jrpack:sm_80:90", "'90' after its ':' is not a list"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        heard[0] = '\0';
        setenv("JITREDUCE_PACK_RECORD", cases[i][0], 1);
        opened made = with_no_packs(device);
        assert_heard(cases[i][0]);
        assert_heard(cases[i][1]);
        jr_context_close(made.context);
    }
}

TEST_BETWEEN(an_architecture_that_nvrtc_does_not_know_is_named_at_the_end_and_no_call_fails, begin, end) {
    const opened *device = *state;
    wish("sm_9");
    use(device, 7);
    assert_heard(pack_path);
    assert_heard("does not know the architecture sm_9");
    assert_int_equal(access(pack_path, F_OK), -1);
}

TEST_BETWEEN(a_relative_path_is_that_of_the_folder_in_which_the_context_was_opened, begin, end) {
    const opened *device = *state;
    char source[ANSWER_BYTES], *old = getcwd(NULL, 0);
    const jr_program program = program_of(7, source);
    assert_non_null(old);
    assert_int_equal(chdir(pack_folder), 0);
    setenv("JITREDUCE_PACK_RECORD", strrchr(pack_path, '/') + 1, 1);
    opened made = with_no_packs(device);
    assert_int_equal(chdir("/"), 0);
    kernel_new(&made, &program);
    jr_context_close(made.context);
    assert_int_equal(chdir(old), 0);
    free(old);
    assert_int_equal(look().image_count, 1);
}

RUN_TESTS(pack_begin, pack_end)
