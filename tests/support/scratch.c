/* Folders and files for tests. */
#include "support/scratch.h"

#include <dirent.h>
#include <elf.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

void scratch_make(char folder[SCRATCH_BYTES]) {
    char pattern[SCRATCH_BYTES], resolved[PATH_MAX];
    const char *parent = getenv("TMPDIR");
    snprintf(pattern, sizeof pattern, "%s/jr-test-XXXXXX", parent && *parent ? parent : "/tmp");
    assert_non_null(mkdtemp(pattern));
    assert_non_null(realpath(pattern, resolved));
    assert_true(strlen(resolved) < SCRATCH_BYTES);
    memcpy(folder, resolved, strlen(resolved) + 1);
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

/* Opens folders that a test closed, so that what is in them can be removed. */
static int unlock_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)walk;
    if (kind == FTW_D && !(status->st_mode & S_IWUSR)) chmod(path, 0700);
    return 0;
}

void scratch_remove(const char *folder) {
    nftw(folder, unlock_one, 16, FTW_PHYS);
    assert_int_equal(nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

char scratch_own[SCRATCH_BYTES];

int scratch_begin(void **state) {
    (void)state;
    scratch_make(scratch_own);
    return 0;
}

int scratch_end(void **state) {
    (void)state;
    scratch_remove(scratch_own);
    return 0;
}

const char *scratch_path(const char *folder, const char *name) {
    static char paths[4][2 * SCRATCH_BYTES];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void scratch_folder(const char *path) {
    char part[PATH_MAX];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
    struct stat status;
    mkdir(part, 0700);
    assert_int_equal(stat(part, &status), 0);
}

void scratch_write(const char *path, const void *bytes, size_t count) {
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    *strrchr(folder, '/') = '\0';
    scratch_folder(folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

void scratch_text(const char *path, const char *text) {
    scratch_write(path, text, strlen(text));
}

char *scratch_read(const char *path, size_t *count) {
    struct stat status;
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    *count = (size_t)status.st_size;
    char *bytes = malloc(*count + 1);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *count, file), *count);
    bytes[*count] = '\0';
    fclose(file);
    return bytes;
}

int scratch_count(const char *folder) {
    DIR *stream = opendir(folder);
    int count = 0;
    assert_non_null(stream);
    for (const struct dirent *item = readdir(stream); item; item = readdir(stream))
        count += strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0;
    closedir(stream);
    return count;
}

void scratch_elf(const char *path) {
    /* The machine's number is taken from the file that is running. */
    Elf64_Ehdr header;
    FILE *self = fopen("/proc/self/exe", "rb");
    assert_non_null(self);
    assert_int_equal(fread(&header, sizeof header, 1, self), 1);
    fclose(self);
    header.e_type = ET_DYN;
    header.e_phnum = 0;
    scratch_write(path, &header, sizeof header);
}

bool scratch_run(const char *const arguments[], const char *output) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (output && !freopen(output, "w", stdout)) _exit(127);
        execvp(arguments[0], (char *const *)(uintptr_t)arguments); /* execvp changes none of them */
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

enum { NOBODY = 65534, CANNOT = 200 };

/* Forks; prepare() and then task() run in the child, which reports through its exit status. */
static int in_child(bool (*prepare)(void *how), void *how, int (*task)(void *user), void *user) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) _exit(prepare(how) ? task(user) : CANNOT);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status)) fail_msg("the child was ended by signal %d", WTERMSIG(status));
    return WEXITSTATUS(status) == CANNOT ? -1 : WEXITSTATUS(status);
}

static bool become_nobody(void *unused) {
    (void)unused;
    return geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
}

int scratch_unprivileged(int (*task)(void *user), void *user) {
    int result = in_child(become_nobody, NULL, task, user);
    assert_int_not_equal(result, -1);
    return result;
}

void scratch_give(const char *path) {
    if (geteuid() == 0) assert_int_equal(chown(path, NOBODY, NOBODY), 0);
}

typedef struct small {
    const char *folder;
    int kib;
} small;

static bool mount_small(void *how) {
    const small *wanted = how;
    char size[32];
    snprintf(size, sizeof size, "size=%dk", wanted->kib);
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("none", wanted->folder, "tmpfs", 0, size) == 0;
}

int scratch_in_small_file_system(const char *folder, int kib, int (*task)(void *user), void *user) {
    small how = {folder, kib};
    return in_child(mount_small, &how, task, user);
}
