/* Makes ranks: threads that meet at a barrier, processes whose sockets meet at rank 0. */
#include "support/rank_case.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

int rank_says(int rank, const char *condition, int line) {
    fprintf(stderr, "rank %d, line %d: not so: %s; the last error: %s\n", rank, line, condition,
            jr_last_error()->message);
    return line;
}

/* ---- threads ---- */

enum { MOST = 1 << 16 };

typedef struct table {
    pthread_barrier_t all_there;
    size_t bytes[RANKS_MAX];
    unsigned char given[RANKS_MAX][MOST];
    rank_forge *forge;
} table;

typedef struct seat {
    table *at;
    int rank, ranks, call, result;
    rank_body *body;
    void *user;
} seat;

static int meet(void *user, const void *mine, size_t bytes, void *all) {
    seat *own = user;
    table *at = own->at;
    if (bytes > MOST) return 1;
    at->bytes[own->rank] = bytes;
    memcpy(at->given[own->rank], mine, bytes);
    if (at->forge != NULL) at->forge(own->rank, own->call, at->given[own->rank], bytes);
    own->call++;
    pthread_barrier_wait(&at->all_there);
    for (int r = 0; r < own->ranks; r++) {
        const size_t shared = at->bytes[r] < bytes ? at->bytes[r] : bytes;
        memset((unsigned char *)all + (size_t)r * bytes, 0, bytes);
        memcpy((unsigned char *)all + (size_t)r * bytes, at->given[r], shared);
    }
    pthread_barrier_wait(&at->all_there);
    return 0;
}

static void *sit(void *user) {
    seat *own = user;
    const jr_group_options options =
        JR_INIT(jr_group_options, .allgather = meet, .user = own, .rank = own->rank, .ranks = own->ranks);
    own->result = own->body(&options, own->user);
    return NULL;
}

void ranks_in_threads(int ranks, rank_body *body, rank_forge *forge, void *user) {
    static table at;
    seat seats[RANKS_MAX];
    pthread_t threads[RANKS_MAX];
    at.forge = forge;
    assert_int_equal(pthread_barrier_init(&at.all_there, NULL, (unsigned)ranks), 0);
    for (int r = 0; r < ranks; r++) {
        seats[r] = (seat){.at = &at, .rank = r, .ranks = ranks, .body = body, .user = user};
        assert_int_equal(pthread_create(&threads[r], NULL, sit, &seats[r]), 0);
    }
    for (int r = 0; r < ranks; r++) pthread_join(threads[r], NULL);
    pthread_barrier_destroy(&at.all_there);
    for (int r = 0; r < ranks; r++)
        if (seats[r].result != 0) fail_msg("rank %d of %d: see line %d", r, ranks, seats[r].result);
}

/* ---- processes ---- */

enum { LIMIT_MS = 1500 };

typedef struct process {
    int rank, ranks, call;
    rank_loss loss;
    int sockets[RANKS_MAX]; /* rank 0: to each of the others; else: the first one leads there */
} process;

static bool send_all(int socket, const void *bytes, size_t count) {
    while (count > 0) {
        const ssize_t sent = send(socket, bytes, count, MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes = (const char *)bytes + sent;
        count -= (size_t)sent;
    }
    return true;
}

static bool receive_all(int socket, void *bytes, size_t count) {
    return recv(socket, bytes, count, MSG_WAITALL) == (ssize_t)count;
}

/* A lost rank is lost for all: rank 0 lets go of the others. */
static int gather_at_0(process *own, const void *mine, size_t bytes, unsigned char *all) {
    bool well = true;
    memcpy(all, mine, bytes);
    for (int r = 1; r < own->ranks; r++) well = receive_all(own->sockets[r], all + (size_t)r * bytes, bytes) && well;
    for (int r = 1; well && r < own->ranks; r++) well = send_all(own->sockets[r], all, (size_t)own->ranks * bytes);
    for (int r = 1; !well && r < own->ranks; r++) shutdown(own->sockets[r], SHUT_RDWR);
    return well ? 0 : 1;
}

static int send_to_0(void *user, const void *mine, size_t bytes, void *all) {
    process *own = user;
    if (own->rank == own->loss.rank && own->call == own->loss.call) {
        while (own->loss.hangs) pause();
        raise(SIGKILL);
    }
    own->call++;
    if (own->rank == 0) return gather_at_0(own, mine, bytes, all);
    const bool well =
        send_all(own->sockets[0], mine, bytes) && receive_all(own->sockets[0], all, (size_t)own->ranks * bytes);
    return well ? 0 : 1;
}

static pid_t begin(process *own, rank_body *body, int sockets[RANKS_MAX][2]) {
    const pid_t child = fork();
    if (child != 0) return child;
    alarm(600);
    for (int r = 1; r < own->ranks; r++) {
        close(sockets[r][own->rank == 0]);
        if (own->rank != 0 && own->rank != r) close(sockets[r][1]);
        if (own->rank == 0) own->sockets[r] = sockets[r][0];
        if (own->rank == r) own->sockets[0] = sockets[r][1];
    }
    const jr_group_options options = JR_INIT(jr_group_options, .allgather = send_to_0, .user = own, .rank = own->rank,
                                             .ranks = own->ranks, .wait_limit_ms = own->loss.hangs ? LIMIT_MS : 0);
    _exit(body(&options, NULL) != 0);
}

/* Of the sockets this process keeps none: those of a later case would have them, too, and hide that one is gone. */
static void begin_trial(const rank_trial *trial, pid_t children[RANKS_MAX]) {
    int sockets[RANKS_MAX][2];
    for (int r = 1; r < trial->ranks; r++) assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets[r]), 0);
    for (int r = 0; r < trial->ranks; r++) {
        process own = {.rank = r, .ranks = trial->ranks, .loss = trial->loss};
        children[r] = begin(&own, trial->body, sockets);
        assert_true(children[r] > 0);
    }
    for (int r = 1; r < trial->ranks; r++) {
        close(sockets[r][0]);
        close(sockets[r][1]);
    }
}

static void end_trial(rank_trial *trial, const pid_t children[RANKS_MAX]) {
    for (int r = 0; r < trial->ranks; r++) {
        int status = 0;
        assert_int_equal(waitpid(children[r], &status, 0), children[r]);
        trial->results[r] = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) fail_msg("rank %d did not end", r);
    }
}

void ranks_in_trials(rank_trial *trials, size_t count) {
    enum { AT_A_TIME_MAX = 8 };
    pid_t children[AT_A_TIME_MAX][RANKS_MAX];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const bool waits = count > 0 && trials[0].loss.hangs;
    const size_t wanted = processors >= 4 ? (size_t)processors / 2 : 1,
                 window = wanted < AT_A_TIME_MAX && !waits ? wanted : AT_A_TIME_MAX;
    for (size_t begun = 0; begun < count; begun += window) {
        const size_t some = count - begun < window ? count - begun : window;
        for (size_t i = 0; i < some; i++) begin_trial(&trials[begun + i], children[i]);
        for (size_t i = 0; i < some; i++) end_trial(&trials[begun + i], children[i]);
    }
}

void ranks_in_processes(int ranks, rank_body *body, rank_loss loss, int results[RANKS_MAX]) {
    rank_trial one = {.ranks = ranks, .body = body, .loss = loss};
    ranks_in_trials(&one, 1);
    for (int r = 0; r < ranks; r++) results[r] = one.results[r];
}
