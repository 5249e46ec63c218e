/* Opens the plug-in of --mpi, and has all ranks agree. */
#include "ranks.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cli_settings.h"

#define PLUGIN "libjitreduce_mpi.so"

/* An MPI opens libraries of its own, which need its names: RTLD_GLOBAL. It stays open until the process ends. */
static cli_exit open_plugin(const cli_mpi **mpi, cli_error *error) {
    const char *setting = cli_settings_mpi();
    cli_mpi_get_fn *get = NULL;
    void *library = dlopen(setting != NULL ? setting : PLUGIN, RTLD_NOW | RTLD_GLOBAL);
    if (library == NULL)
        return cli_fail(error, CLI_FAILURE, "--mpi: %s; 'make mpi' builds the plug-in, and JITREDUCE_MPI names it",
                        dlerror());
    *(void **)&get = dlsym(library, "cli_mpi_get");
    const cli_mpi *found = get != NULL ? get() : NULL;
    if (found == NULL || found->version != CLI_MPI_VERSION)
        return cli_fail(error, CLI_FAILURE,
                        "--mpi: %s: has version %d of the plug-in, and this is %d: build both from one source",
                        setting != NULL ? setting : PLUGIN, found != NULL ? found->version : 0, CLI_MPI_VERSION);
    *mpi = found;
    return CLI_OK;
}

cli_exit cli_ranks_begin(cli_ranks *ranks, cli_error *error) {
    cli_ranks begun = {.way = JR_INIT(jr_group_options)};
    const cli_exit code = open_plugin(&begun.mpi, error);
    if (code != CLI_OK) return code;
    const int failure = begun.mpi->begin(&begun.way, &begun.local);
    if (failure != 0) return cli_fail(error, CLI_FAILURE, "--mpi: MPI cannot start: its error %d", failure);
    *ranks = begun;
    if (!cli_ranks_first(ranks) && freopen("/dev/null", "w", stdout) == NULL)
        return cli_fail(error, CLI_FAILURE, "--mpi: /dev/null: cannot be opened");
    return CLI_OK;
}

bool cli_ranks_first(const cli_ranks *ranks) {
    return ranks == NULL || ranks->mpi == NULL || ranks->way.rank == 0;
}

cli_exit cli_ranks_gather(cli_ranks *ranks, const void *mine, size_t bytes, void *all, cli_error *error) {
    const int failure = ranks->way.allgather(ranks->way.user, mine, bytes, all);
    if (failure == 0) return CLI_OK;
    ranks->lost = ranks->over = true;
    return cli_fail(error, CLI_FAILURE, "--mpi: the other ranks cannot be reached: error %d of MPI", failure);
}

/* ---- agreement ---- */

/* How it went on a rank. */
typedef struct outcome {
    int code;
    bool of_another; /* the failure came from another rank */
    char message[sizeof((cli_error *)0)->message];
} outcome;

/* The first rank that failed by itself, or else one that learned of it; -1: no failure. */
static int find_failed(const outcome *all, int count) {
    int learned = -1;
    for (int rank = 0; rank < count; rank++) {
        if (all[rank].code == CLI_OK) continue;
        if (!all[rank].of_another) return rank;
        if (learned < 0) learned = rank;
    }
    return learned;
}

static bool all_alike(const outcome *all, int count) {
    for (int rank = 1; rank < count; rank++)
        if (all[rank].code != all[0].code || strcmp(all[rank].message, all[0].message) != 0) return false;
    return true;
}

static cli_exit compare(cli_ranks *ranks, const outcome *all, cli_error *error) {
    const int count = ranks->way.ranks, failed = find_failed(all, count);
    if (failed < 0) return CLI_OK;
    ranks->over = true;
    if (all_alike(all, count)) return (cli_exit)all[0].code; /* this one's message and log, too */
    return cli_fail(error, (cli_exit)all[failed].code, "rank %d: %.*s", failed,
                    (int)(sizeof error->message - sizeof "rank 0123456789: "), all[failed].message);
}

cli_exit cli_ranks_agree(cli_ranks *ranks, cli_exit code, cli_error *error) {
    if (ranks == NULL || ranks->mpi == NULL || ranks->over) return code;
    outcome own = {.code = (int)code, .of_another = code != CLI_OK && error->of_another};
    outcome *all = calloc((size_t)ranks->way.ranks, sizeof *all);
    if (code != CLI_OK) snprintf(own.message, sizeof own.message, "%s", error->message);
    if (all == NULL) {
        ranks->lost = ranks->over = true;
        return cli_fail(error, CLI_FAILURE, "--mpi: out of memory for the outcomes of %d ranks", ranks->way.ranks);
    }
    cli_exit agreed = cli_ranks_gather(ranks, &own, sizeof own, all, error);
    if (agreed == CLI_OK) agreed = compare(ranks, all, error);
    free(all);
    return agreed;
}

uint64_t cli_ranks_share(const cli_ranks *ranks, uint64_t count, uint64_t *first) {
    *first = 0;
    if (ranks == NULL) return count;
    const uint64_t rank = (uint64_t)ranks->way.rank, each = count / (uint64_t)ranks->way.ranks,
                   more = count % (uint64_t)ranks->way.ranks;
    *first = rank * each + (rank < more ? rank : more);
    return each + (rank < more);
}

void cli_ranks_end(cli_ranks *ranks, cli_exit code) {
    if (ranks->mpi == NULL) return;
    if (ranks->lost)
        ranks->mpi->abort(&ranks->way, (int)code);
    else
        ranks->mpi->end(&ranks->way);
}
