/* Runs the compiler in a folder of its own below /tmp, and loads what it makes from memory:
 * no name of a file is given to the loader, so nobody can have exchanged it. */
#include "native_compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/files.h"
#include "base/settings.h"

enum { LIBRARY_BYTES_MAX = 64 << 20, NICENESS = 10 };

static _Atomic int running; /* the process that compiles, 0: none; -1: none may begin */

const char *jrs_native_compiler(void) {
    static const char *const usual[] = {"/usr/bin/cc", "/usr/local/bin/cc", "/usr/bin/gcc", "/usr/bin/clang"};
    const char *asked = jr_setting_get(JR_SETTING_SIM_CC);
    if (asked) return *asked && jr_file_exists(asked) ? asked : NULL;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
        if (jr_file_exists(usual[k])) return usual[k];
    return NULL;
}

/* Sums are not contracted, and nothing else changes a bit: the results are the interpreter's. errno is of no use. */
#define OPTIONS "-x", "c", "-std=gnu11", "-O3", "-w", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno"

/* What this processor has beyond the least of its kind. */
static const char *const *processor_options(void) {
    static const char *const least[] = {NULL};
#ifdef __x86_64__
    static const char *const wide[] = {"-mavx2", "-mfma", "-mbmi", "-mbmi2", NULL};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2"))
        return wide;
#endif
    return least;
}

void jrs_native_digest_compiler(jr_digest *digest, const char *compiler) {
    static const char *const options[] = {OPTIONS};
    jr_file_identity identity = {0};
    if (!jr_file_identify(compiler, &identity)) identity.bytes = 0;
    jr_digest_string(digest, "compiler", compiler);
    jr_digest_number(digest, "bytes", identity.bytes);
    jr_digest_number(digest, "inode", identity.inode);
    jr_digest_number(digest, "modified", (uint64_t)identity.modified_ns);
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) jr_digest_string(digest, "option", options[k]);
    for (const char *const *option = processor_options(); *option; option++)
        jr_digest_string(digest, "processor", *option);
}

/* ---- one compile ---- */

/* No signal of the application is for the compiler, nor its terminal. 0 or an error number. */
static int spawn(pid_t *process, const char *compiler, char *const *arguments) {
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawn_file_actions_init(&files);
    if (error) return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
        for (int file = 0; file < 3 && !error; file++)
            error = posix_spawn_file_actions_addopen(&files, file, "/dev/null", file ? O_WRONLY : O_RDONLY, 0);
        if (!error) error = posix_spawn(process, compiler, &files, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&files);
    return error;
}

/* False, with the reason: it could not be begun, or did not succeed. */
static bool run(const char *compiler, const char *from, const char *to, char *why) {
    static const char *const options[] = {OPTIONS};
    const char *arguments[32];
    size_t count = 0;
    pid_t process;
    int status = 0, nobody = 0;
    arguments[count++] = compiler;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++) arguments[count++] = options[k];
    for (const char *const *option = processor_options(); *option; option++) arguments[count++] = *option;
    arguments[count++] = "-o", arguments[count++] = to, arguments[count++] = from, arguments[count++] = "-lm";
    arguments[count] = NULL;
    const int error = spawn(&process, compiler, (char *const *)(uintptr_t)arguments);
    if (error) {
        snprintf(why, JRS_NATIVE_WHY_BYTES, "%s cannot be run: %s", compiler, strerror(error));
        return false;
    }
    setpriority(PRIO_PROCESS, (id_t)process, NICENESS);
    if (!atomic_compare_exchange_strong(&running, &nobody, process)) kill(-process, SIGKILL);
    pid_t ended;
    do ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    nobody = process;
    atomic_compare_exchange_strong(&running, &nobody, 0);
    if (ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    if (ended != process)
        snprintf(why, JRS_NATIVE_WHY_BYTES, "nobody knows how %s ended: %s", compiler, strerror(errno));
    else if (WIFSIGNALED(status))
        snprintf(why, JRS_NATIVE_WHY_BYTES, "%s was ended by signal %d", compiler, WTERMSIG(status));
    else
        snprintf(why, JRS_NATIVE_WHY_BYTES, "%s ended with status %d", compiler, WEXITSTATUS(status));
    return false;
}

void jrs_native_stop(void) {
    const int process = atomic_exchange(&running, -1);
    if (process > 0) kill(-process, SIGKILL);
}

void *jrs_native_compile(const char *compiler, const char *text, size_t *bytes, char why[JRS_NATIVE_WHY_BYTES]) {
    char folder[] = "/tmp/jrsim-XXXXXX", from[sizeof folder + 8], to[sizeof folder + 8];
    void *library = NULL;
    if (!mkdtemp(folder)) {
        snprintf(why, JRS_NATIVE_WHY_BYTES, "cannot make folder %s: %s", folder, strerror(errno));
        return NULL;
    }
    snprintf(from, sizeof from, "%s/k.c", folder);
    snprintf(to, sizeof to, "%s/k.so", folder);
    snprintf(why, JRS_NATIVE_WHY_BYTES, "folder %s cannot be written", folder);
    if (jr_file_write(folder, "k.c", text, strlen(text)) == JR_OK && run(compiler, from, to, why) &&
        jr_file_read(to, LIBRARY_BYTES_MAX, &library, bytes, NULL) != JR_OK)
        snprintf(why, JRS_NATIVE_WHY_BYTES, "%s made no library", compiler);
    unlink(from);
    unlink(to);
    rmdir(folder);
    return library;
}

/* ---- loading ---- */

static bool write_all(int file, const uint8_t *bytes, size_t count) {
    while (count) {
        const ssize_t written = write(file, bytes, count);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

/* The loader takes two libraries of one path for one, so each path is spelt in its own way, by one or two slashes. */
static void spell_path(char path[128], int file) {
    static _Atomic unsigned libraries;
    size_t used = (size_t)snprintf(path, 128, "/proc/self/fd/");
    for (unsigned rest = atomic_fetch_add(&libraries, 1) + 1; rest; rest /= 2)
        used += (size_t)snprintf(path + used, 128 - used, rest & 1 ? "./" : ".//");
    snprintf(path + used, 128 - used, "%d", file);
}

jrs_native_run *jrs_native_load(const void *bytes, size_t count, char why[JRS_NATIVE_WHY_BYTES]) {
    char path[128];
    jrs_native_run *found = NULL;
    const int file = memfd_create("jrsim", MFD_CLOEXEC);
    spell_path(path, file);
    if (file < 0 || !write_all(file, bytes, count)) {
        snprintf(why, JRS_NATIVE_WHY_BYTES, "no memory for the code: %s", strerror(errno));
    } else {
        void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        void *symbol = library ? dlsym(library, "jrs_native_kernel") : NULL;
        if (symbol)
            memcpy(&found, &symbol, sizeof found);
        else
            snprintf(why, JRS_NATIVE_WHY_BYTES, "the code cannot be loaded: %.400s", dlerror());
    }
    if (file >= 0) close(file);
    return found;
}
