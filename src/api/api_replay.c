/* The public functions of captured launches (replay.h). */
#include "jitreduce/replay.h"

#include "base/error.h"
#include "guard.h"
#include "kernel/launch_file.h"
#include "size.h"

jr_status jr_replay_open(const char *path, jr_replay **replay) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(path, replay));
    return jr_launch_file_read(path, replay);
}

jr_status jr_replay_look(const jr_replay *replay, jr_replay_info *info) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(replay, info));
    const jr_status status = jr_size_check(&jr_replay_info_sized, info);
    if (status == JR_OK) jr_size_write(&jr_replay_info_sized, &replay->info, info);
    return status;
}

const jr_program *jr_replay_program(const jr_replay *replay) {
    return replay != NULL && replay->has_program ? &replay->program : NULL;
}

const jr_image *jr_replay_image(const jr_replay *replay) {
    return replay != NULL ? replay->image : NULL;
}

static jr_status check_index(const char *what, uint64_t index, uint64_t count) {
    if (index < count) return JR_OK;
    return jr_fail(JR_ERROR_INVALID_ARGUMENT, "there is no %s %llu: the launch has %llu of them, from 0 on", what,
                   (unsigned long long)index, (unsigned long long)count);
}

jr_status jr_replay_argument_get(const jr_replay *replay, uint64_t index, jr_replay_argument *argument) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(replay, argument));
    const jr_status status = check_index("argument", index, replay->info.argument_count);
    if (status == JR_OK) *argument = replay->arguments[index];
    return status;
}

jr_status jr_replay_buffer_get(const jr_replay *replay, uint64_t index, jr_replay_buffer *buffer) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(replay, buffer));
    const jr_status status = check_index("buffer", index, replay->info.buffer_count);
    if (status == JR_OK) *buffer = replay->buffers[index];
    return status;
}

void jr_replay_close(jr_replay *replay) {
    JR_GUARD_CALL;
    jr_launch_file_free(replay);
}
