/* A process whose file was replaced while it runs, as an upgrade does, no longer knew its own folder, and so not the
 * simulator that lies in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "loader/places.h"
#include "support/fixtures/check.h"
#include "support/fixtures/scratch.h"

/* In the copy: its file is removed, and the folder must still be the one in which it was. */
static int look_without_a_file(const char *self, const char *folder) {
    jr_places places;
    if (unlink(self) != 0) return EXIT_FAILURE;
    jr_places_of_process(&places);
    return strcmp(places.own_folder, folder) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

TEST(a_process_knows_its_folder_when_its_file_was_replaced) {
    char folder[SCRATCH_BYTES], copy[SCRATCH_BYTES];
    size_t count;
    scratch_make(folder);
    snprintf(copy, sizeof copy, "%s", scratch_path(folder, "copy"));
    char *bytes = scratch_read("/proc/self/exe", &count);
    scratch_write(copy, bytes, count);
    assert_int_equal(chmod(copy, 0700), 0);
    assert_true(scratch_run((const char *const[]){copy, folder, NULL}, NULL));
}

int main(int argc, char **argv) {
    if (argc == 2) return look_without_a_file(argv[0], argv[1]);
    return check_run(NULL, NULL);
}
