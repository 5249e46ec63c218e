/* The public functions of watched kernels (kernel.h). */
#include "base/error.h"
#include "guard.h"
#include "jitreduce/kernel.h"
#include "kernel/kernel_watch.h"
#include "size.h"

jr_status jr_kernel_watch(jr_context *context, const jr_program *program, const char *path, jr_watch **watch) {
    JR_GUARD_CALL;
    jr_program own;
    JR_TRY(JR_GIVEN(context, program, path, watch));
    JR_TRY(jr_size_read(&jr_program_sized, program, &own));
    if (own.source != NULL)
        return jr_fail(JR_ERROR_INVALID_ARGUMENT,
                       "program->source is not NULL: the text of a program that is watched is that of its file, %s",
                       path);
    return jr_watch_open(context, &own, path, watch);
}

jr_status jr_watch_kernel(jr_watch *watch, double wait_ms, jr_kernel **kernel) {
    JR_GUARD_CALL;
    JR_TRY(JR_GIVEN(watch, kernel));
    return jr_watch_wait(watch, wait_ms, kernel);
}

void jr_watch_end(jr_watch *watch) {
    JR_GUARD_CALL;
    jr_watch_close(watch);
}
