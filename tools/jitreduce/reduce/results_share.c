/* One .npy file that all ranks write: the first one makes it, each writes its share, the first one gives it its name.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_results.h"
#include "io/new_file.h"
#include "io/ranks.h"
#include "npy/npy_write.h"

/* What the first rank sends: the file, and where its elements begin. */
typedef struct place {
    char temporary[CLI_TEMPORARY_BYTES];
    uint64_t offset;
} place;

/* The errno of the failure, or 0. */
static int write_at(int file, const void *bytes, size_t size, uint64_t offset) {
    for (const char *at = bytes; size > 0;) {
        const ssize_t done = pwrite(file, at, size, (off_t)offset);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return errno;
        at += done;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

static cli_exit fail_write(const char *what, int failure, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "--output: %s: cannot be written: %s", what, strerror(failure));
}

/* The first rank makes the file, with its header. */
static cli_exit create(const char *path, const cli_data *whole, cli_new_file *made, place *at, cli_error *error) {
    unsigned char header[CLI_NPY_HEADER_BYTES];
    const cli_exit code = cli_new_file_create("--output", path, made, error);
    if (code != CLI_OK) return code;
    memcpy(at->temporary, made->temporary, sizeof at->temporary);
    at->offset = cli_npy_header_write(whole, header);
    const int failure = write_at(made->file, header, at->offset, 0);
    return failure == 0 ? CLI_OK : fail_write(path, failure, error);
}

static cli_exit write_share(const place *at, const cli_data *share, uint64_t first, cli_error *error) {
    const size_t size = jr_type_size(share->type);
    const int file = open(at->temporary, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return cli_fail(error, CLI_FAILURE,
                        "--output: %s, created by the first rank: %s: all ranks need access to its folder",
                        at->temporary, strerror(errno));
    int failure = write_at(file, share->elements, share->count * size, at->offset + first * size);
    if (close(file) != 0 && failure == 0) failure = errno;
    return failure == 0 ? CLI_OK : fail_write(at->temporary, failure, error);
}

/* What the ranks do at a time. */
typedef struct writing {
    cli_ranks *ranks;
    place own, *all; /* of this one, and of each */
    uint64_t first;  /* of this one's results */
} writing;

static cli_exit write_together(writing *at, cli_exit code, const cli_data *share, cli_error *error) {
    if (code == CLI_OK && at->all == NULL)
        code = cli_fail(error, CLI_FAILURE, "--mpi: out of memory for %d ranks", at->ranks->way.ranks);
    code = cli_ranks_agree(at->ranks, code, error);
    if (code == CLI_OK) code = cli_ranks_gather(at->ranks, &at->own, sizeof at->own, at->all, error);
    if (code != CLI_OK) return code;
    return cli_ranks_agree(at->ranks, write_share(&at->all[0], share, at->first, error), error);
}

cli_exit cli_results_write_share(const cli_options *options, const cli_results *results, uint64_t first, uint64_t whole,
                                 cli_error *error) {
    const cli_data all = {.type = results->data.type, .shape = cli_shape_flat(whole)};
    writing at = {.ranks = options->ranks, .first = first};
    cli_new_file made = {.file = -1};
    at.all = calloc((size_t)at.ranks->way.ranks, sizeof *at.all);
    cli_exit code = cli_ranks_first(at.ranks) ? create(options->output, &all, &made, &at.own, error) : CLI_OK;
    code = write_together(&at, code, &results->data, error);
    free(at.all);
    if (made.file < 0) return code;
    if (code == CLI_OK) return cli_new_file_finish(&made, 0, error);
    cli_new_file_drop(&made);
    return code;
}
