/* Files of captured launches: what was written is read; whatever else is in one is refused. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/little_endian.h"
#include "kernel/launch_file.h"
#include "support/fixtures/replay_case.h"
#include "support/fixtures/scratch.h"

static char folder[SCRATCH_BYTES];
static const char name[] = "a.jrlaunch";

static int begin(void **state) {
    (void)state;
    scratch_make(folder);
    replay_case_write(folder, name);
    return 0;
}

TEST_BETWEEN(what_was_written_is_read, begin, NULL) {
    jr_replay *replay = NULL;
    jr_replay_info info = JR_INIT(jr_replay_info);
    jr_replay_argument argument;
    jr_replay_buffer buffer;
    struct stat seen;
    assert_int_equal(jr_replay_open(scratch_path(folder, name), &replay), JR_OK);
    assert_int_equal(jr_replay_look(replay, &info), JR_OK);
    assert_string_equal(info.library, jr_version());
    assert_string_equal(info.device, "a device");
    assert_int_equal(info.grid[0], 2);
    assert_int_equal(info.block[0], 32);
    assert_int_equal(info.shared_bytes, 8);
    const jr_program *program = jr_replay_program(replay);
    assert_non_null(program);
    assert_string_equal(program->source, replay_case_program.source);
    assert_int_equal(program->constant_count, 1);
    assert_string_equal(program->constants[0].text, "3");
    assert_non_null(strstr(jr_image_ptx(jr_replay_image(replay)), ".entry add"));
    assert_int_equal(jr_replay_argument_get(replay, 0, &argument), JR_OK);
    assert_int_equal(argument.buffer, 0);
    assert_int_equal(argument.offset, 4);
    assert_int_equal(jr_replay_buffer_get(replay, 0, &buffer), JR_OK);
    assert_int_equal(buffer.bytes, REPLAY_CASE_BYTES);
    assert_memory_equal(buffer.before, replay_case_before, REPLAY_CASE_BYTES);
    assert_int_equal(((const unsigned char *)buffer.after)[4], 15);
    assert_int_equal(stat(scratch_path(folder, name), &seen), 0);
    assert_int_equal(seen.st_mode & 07777, 0600);
    jr_replay_close(replay);
}

static void is_refused(const void *bytes, size_t count, const char *why) {
    jr_replay *replay = NULL;
    const char *path = scratch_path(folder, "b.jrlaunch");
    scratch_write(path, bytes, count);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(jr_replay_open(path, &replay), JR_ERROR_FILE);
    assert_null(replay);
    if (strstr(jr_last_error()->message, why) == NULL) fail_msg("'%s' lacks '%s'", jr_last_error()->message, why);
}

TEST_BETWEEN(a_file_that_was_cut_is_refused, begin, NULL) {
    size_t count;
    char *bytes = scratch_read(scratch_path(folder, name), &count);
    for (size_t cut = 0; cut < count; cut++)
        is_refused(bytes, cut, cut < JR_LAUNCH_HEADER_BYTES + JR_DIGEST_BYTES ? "too short" : "it was cut");
}

TEST_BETWEEN(a_file_that_was_changed_is_refused, begin, NULL) {
    size_t count;
    char *bytes = scratch_read(scratch_path(folder, name), &count);
    for (size_t at = 0; at < count; at++) {
        bytes[at] ^= 0x10;
        is_refused(bytes, count, at < JR_LAUNCH_FORMAT_AT ? "does not begin as one" : "");
        bytes[at] ^= 0x10;
    }
}

static void seal(char *bytes, size_t count) {
    jr_digest_of(bytes, count - JR_DIGEST_BYTES, (uint8_t *)bytes + count - JR_DIGEST_BYTES);
}

TEST_BETWEEN(foreign_versions_and_lengths_that_cannot_be_are_refused, begin, NULL) {
    size_t count;
    char *bytes = scratch_read(scratch_path(folder, name), &count);
    uint8_t *head = (uint8_t *)bytes;
    const uint64_t body = jr_little_get(head + JR_LAUNCH_BODY_BYTES_AT, 8);
    jr_little_put(head + JR_LAUNCH_BODY_BYTES_AT, UINT64_MAX, 8);
    seal(bytes, count);
    is_refused(bytes, count, "a length in it is too large");
    jr_little_put(head + JR_LAUNCH_BODY_BYTES_AT, body + 1, 8);
    seal(bytes, count);
    is_refused(bytes, count, "");
    jr_little_put(head + JR_LAUNCH_BODY_BYTES_AT, body, 8);
    jr_little_put(head + JR_LAUNCH_CODING_AT, 2, 4);
    seal(bytes, count);
    is_refused(bytes, count, "its head does not fit together");
    jr_little_put(head + JR_LAUNCH_FORMAT_AT, 99, 4);
    seal(bytes, count);
    is_refused(bytes, count, "has format 99, and this version reads 1");
}

/* Of a body that is not packed every number may be any. */
TEST_BETWEEN(a_body_that_does_not_fit_together_is_refused, begin, NULL) {
    enum { BODY = 64 };
    char bytes[JR_LAUNCH_HEADER_BYTES + BODY + JR_DIGEST_BYTES] = {0};
    uint8_t *head = (uint8_t *)bytes;
    memcpy(head, JR_LAUNCH_MAGIC, sizeof JR_LAUNCH_MAGIC);
    jr_little_put(head + JR_LAUNCH_FORMAT_AT, JR_LAUNCH_FORMAT, 4);
    jr_little_put(head + JR_LAUNCH_FILE_BYTES_AT, sizeof bytes, 8);
    jr_little_put(head + JR_LAUNCH_BODY_BYTES_AT, BODY, 8);
    for (int at = 0; at + 8 <= BODY; at += 4) {
        memset(head + JR_LAUNCH_HEADER_BYTES, 0, BODY);
        jr_little_put(head + JR_LAUNCH_HEADER_BYTES + at, UINT64_MAX, 8);
        seal(bytes, sizeof bytes);
        is_refused(bytes, sizeof bytes, "what is in it does not fit together");
    }
}

TEST_BETWEEN(a_file_that_others_may_write_to_is_refused, begin, NULL) {
    jr_replay *replay = NULL;
    const char *path = scratch_path(folder, name);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(jr_replay_open(path, &replay), JR_ERROR_FILE);
    assert_int_equal(jr_replay_open(scratch_path(folder, "none"), &replay), JR_ERROR_FILE);
    assert_null(replay);
}

RUN_TESTS(NULL, NULL)
