/* A stand-in of NCCL for tests: the functions that we use, with the real ABI, over memory that processes share and the
 * driver that NCCL_STAND_IN_DRIVER names. A test compiles it to a library (tests/support/fakes/stand_in.c).
 *
 * NCCL_STAND_IN says what goes wrong, "" or nothing: nothing.
 *   old        it is of version 2.13
 *   fail       communicators cannot be made        hang        they are never ready
 *   fail-run   gathering fails                      hang-run    what is gathered never comes
 *   die-run    the process is killed when it is to gather
 *   late       everything takes some milliseconds longer
 * Communicators do not wait, whatever their configuration says. Nothing remains: the shared memory loses its name when
 * the last rank has joined, or the first one gives up. */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SUCCESS = 0, UNHANDLED = 1, SYSTEM_ERROR = 2, INTERNAL_ERROR = 3, INVALID_ARGUMENT = 4, IN_PROGRESS = 7 };
enum { RANKS = 16, ROOM = 1 << 16, ID_BYTES = 128, LATE_MS = 20 };

typedef struct id {
    char bytes[ID_BYTES];
} id;

/* What all ranks of a communicator see. The states of a gathering and of the next one have different places. */
typedef struct shared {
    atomic_int attached, left;
    atomic_ullong arrived[RANKS];
    char states[2][RANKS][ROOM];
} shared;

typedef struct communicator {
    struct communicator *aborted_before;
    shared *all;
    char name[ID_BYTES];
    int rank, ranks;
    atomic_int aborted;
    unsigned long long gathered; /* so many times */
    double ready_ms;             /* from then on */
    int hangs;
} communicator;

/* ---- the driver ---- */

typedef void (*host_function)(void *user);
static int (*copy_out)(void *to, unsigned long long from, size_t bytes, void *stream);
static int (*copy_in)(unsigned long long to, const void *from, size_t bytes, void *stream);
static int (*call_host)(void *stream, host_function function, void *user);
static int (*pin)(void *address, size_t bytes, unsigned flags);
static int (*unpin)(void *address);

static int find(void *library, const char *name, void *function) {
    void *found = dlsym(library, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static int open_driver(void) {
    const char *path = getenv("NCCL_STAND_IN_DRIVER");
    void *library = path != NULL ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library != NULL && find(library, "cuMemcpyDtoHAsync_v2", &copy_out) &&
           find(library, "cuMemcpyHtoDAsync_v2", &copy_in) && find(library, "cuLaunchHostFunc", &call_host) &&
           find(library, "cuMemHostRegister_v2", &pin) && find(library, "cuMemHostUnregister", &unpin);
}

/* ---- what goes wrong ---- */

static int wrong(const char *what) {
    const char *asked = getenv("NCCL_STAND_IN");
    return asked != NULL && strcmp(asked, what) == 0;
}

static double now_ms(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return (double)at.tv_sec * 1e3 + (double)at.tv_nsec * 1e-6;
}

/* ---- the functions ---- */

int ncclGetVersion(int *version);
const char *ncclGetErrorString(int result);
const char *ncclGetLastError(communicator *of);
int ncclGetUniqueId(id *made);
int ncclCommInitRankConfig(communicator **made, int ranks, id of, int rank, void *config);
int ncclCommGetAsyncError(communicator *of, int *state);
int ncclGroupStart(void);
int ncclGroupEnd(void);
int ncclCommFinalize(communicator *of);
int ncclCommAbort(communicator *of);
int ncclCommDestroy(communicator *of);
int ncclAllGather(const void *from, void *to, size_t count, int type, communicator *of, void *stream);

/* NOLINTBEGIN(misc-use-internal-linkage): a library has them for others */

int ncclGetVersion(int *version) {
    *version = wrong("old") ? 21304 : 22809;
    return SUCCESS;
}

const char *ncclGetErrorString(int result) {
    return result == SYSTEM_ERROR ? "unhandled system error" : result == INTERNAL_ERROR ? "internal error" : "error";
}

const char *ncclGetLastError(communicator *of) {
    (void)of;
    return "told by the stand-in";
}

int ncclGetUniqueId(id *made) {
    static atomic_int count;
    snprintf(made->bytes, sizeof made->bytes, "/nccl-stand-in-%ld-%d", (long)getpid(), atomic_fetch_add(&count, 1));
    return SUCCESS;
}

static shared *attach(const char *name) {
    const int file = shm_open(name, O_CREAT | O_RDWR, 0600);
    if (file < 0) return NULL;
    void *at = ftruncate(file, sizeof(shared)) == 0
                   ? mmap(NULL, sizeof(shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                   : MAP_FAILED;
    close(file);
    return at != MAP_FAILED ? at : NULL;
}

int ncclCommInitRankConfig(communicator **made, int ranks, id of, int rank, void *config) {
    (void)config;
    if (wrong("fail")) return SYSTEM_ERROR;
    if (ranks > RANKS || rank < 0 || rank >= ranks || !open_driver()) return INVALID_ARGUMENT;
    communicator *own = calloc(1, sizeof *own);
    if (own == NULL) return SYSTEM_ERROR;
    snprintf(own->name, sizeof own->name, "%s", of.bytes);
    own->all = attach(own->name);
    if (own->all == NULL || pin(own->all, sizeof *own->all, 1) != 0) {
        free(own);
        return SYSTEM_ERROR;
    }
    own->rank = rank;
    own->ranks = ranks;
    own->hangs = wrong("hang");
    own->ready_ms = now_ms() + (wrong("late") ? LATE_MS : 0);
    if (atomic_fetch_add(&own->all->attached, 1) + 1 == ranks) shm_unlink(own->name);
    *made = own;
    return IN_PROGRESS;
}

int ncclCommGetAsyncError(communicator *of, int *state) {
    const int ready = !of->hangs && atomic_load(&of->all->attached) == of->ranks && now_ms() >= of->ready_ms;
    *state = ready ? SUCCESS : IN_PROGRESS;
    return SUCCESS;
}

int ncclGroupStart(void) {
    return SUCCESS;
}

int ncclGroupEnd(void) {
    return SUCCESS;
}

int ncclCommFinalize(communicator *of) {
    (void)of;
    return SUCCESS;
}

/* What is on streams may still look at it: it is kept until the process ends. */
int ncclCommAbort(communicator *of) {
    static communicator *last;
    of->aborted_before = last;
    last = of;
    atomic_store(&of->aborted, 1);
    shm_unlink(of->name);
    return SUCCESS;
}

int ncclCommDestroy(communicator *of) {
    unpin(of->all);
    munmap(of->all, sizeof *of->all);
    free(of);
    return SUCCESS;
}

/* ---- gathering ---- */

typedef struct meeting {
    communicator *of;
    unsigned long long number;
    int hangs, late;
} meeting;

static int all_have_come(const meeting *at) {
    for (int r = 0; r < at->of->ranks; r++)
        if (atomic_load(&at->of->all->arrived[r]) < at->number) return 0;
    return !at->hangs;
}

static void meet(void *user) {
    meeting *at = user;
    const struct timespec moment = {.tv_nsec = 50000}, late = {.tv_nsec = LATE_MS * 1000000L};
    if (at->late) nanosleep(&late, NULL);
    atomic_store(&at->of->all->arrived[at->of->rank], at->number);
    while (!all_have_come(at) && !atomic_load(&at->of->aborted)) nanosleep(&moment, NULL);
    free(at);
}

int ncclAllGather(const void *from, void *to, size_t count, int type, communicator *of, void *stream) {
    if (wrong("fail-run")) return INTERNAL_ERROR;
    if (wrong("die-run")) raise(SIGKILL);
    if (type != 0 || count > ROOM) return INVALID_ARGUMENT;
    meeting *at = malloc(sizeof *at);
    if (at == NULL) return SYSTEM_ERROR;
    *at = (meeting){of, ++of->gathered, wrong("hang-run"), wrong("late")};
    char(*states)[ROOM] = of->all->states[at->number % 2];
    int error = copy_out(states[of->rank], (unsigned long long)from, count, stream);
    if (error == 0) error = call_host(stream, meet, at);
    for (int r = 0; error == 0 && r < of->ranks; r++)
        error = copy_in((unsigned long long)to + (size_t)r * count, states[r], count, stream);
    return error == 0 ? SUCCESS : UNHANDLED;
}
/* NOLINTEND(misc-use-internal-linkage) */
