/* A cache folder of ours that we may not read was taken, and every read and write then failed in turn. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files.h"
#include "jitreduce/status.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

static int check_is_refused(void *path) {
    return jr_folder_check(path) == JR_ERROR_FILE && strstr(jr_last_error()->message, "closed: Permission denied") ? 0
                                                                                                                   : 1;
}

TEST(a_folder_that_we_may_not_read_is_refused) {
    char folder[SCRATCH_BYTES], closed[SCRATCH_BYTES];
    scratch_make(folder);
    snprintf(closed, sizeof closed, "%s", scratch_path(folder, "closed"));
    scratch_folder(closed);
    scratch_give(folder);
    scratch_give(closed);
    assert_int_equal(chmod(closed, 0300), 0);
    assert_int_equal(scratch_unprivileged(check_is_refused, closed), 0);
    scratch_remove(folder);
}

RUN_TESTS(NULL, NULL)
