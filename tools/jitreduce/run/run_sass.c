/* Shows machine code by the disassembler of the CUDA toolkit, run without a shell on a temporary file. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cli_settings.h"
#include "run_program.h"

enum { PATH_BYTES = 4096 };

/* The errno of the spawn, ENOENT where there is no such program, or 0 with the exit code in *code. */
static int run(char *const words[], int *code) {
    pid_t child;
    int wait_status = 0;
    const int failure = posix_spawnp(&child, words[0], NULL, NULL, words, environ);
    if (failure != 0) return failure;
    while (waitpid(child, &wait_status, 0) < 0)
        if (errno != EINTR) return errno;
    *code = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128;
    return *code == 127 ? ENOENT : 0;
}

static cli_exit disassemble(char *path, cli_error *error) {
    char nvdisasm[] = "nvdisasm", only_code[] = "-c", cuobjdump[] = "cuobjdump", sass[] = "-sass";
    char *const first[] = {nvdisasm, only_code, path, NULL}, *const second[] = {cuobjdump, sass, path, NULL};
    const char *name = nvdisasm;
    int code = 0;
    fflush(stdout);
    int failure = run(first, &code);
    if (failure == ENOENT) {
        name = cuobjdump;
        failure = run(second, &code);
    }
    if (failure == ENOENT)
        return cli_fail(
            error, CLI_FAILURE,
            "--show sass: neither nvdisasm nor cuobjdump was found: put the CUDA toolkit's bin folder on the PATH");
    if (failure != 0)
        return cli_fail(error, CLI_FAILURE, "--show sass: %s cannot be started: %s", name, strerror(failure));
    return code == 0 ? CLI_OK : cli_fail(error, CLI_FAILURE, "--show sass: %s failed: exit code %d", name, code);
}

cli_exit cli_run_sass(const jr_image *image, cli_error *error) {
    char path[PATH_BYTES];
    size_t bytes;
    const char *cubin = jr_image_cubin(image, &bytes);
    if (cubin == NULL)
        return cli_fail(
            error, CLI_FAILURE,
            "--show sass: there is no machine code: the driver compiles PTX when it is loaded, and keeps it");
    const int length = snprintf(path, sizeof path, "%s/jitreduce-XXXXXX", cli_settings_temporary_folder());
    const int file = length < PATH_BYTES ? mkstemp(path) : -1;
    if (file < 0) return cli_fail(error, CLI_FAILURE, "--show sass: %s: cannot be made: %s", path, strerror(errno));
    int failure = 0;
    for (size_t done = 0; done < bytes && failure == 0;) {
        const ssize_t count = write(file, cubin + done, bytes - done);
        if (count < 0 && errno != EINTR) failure = errno;
        if (count > 0) done += (size_t)count;
    }
    if (close(file) != 0 && failure == 0) failure = errno;
    cli_exit code = CLI_OK;
    if (failure != 0)
        code = cli_fail(error, CLI_FAILURE, "--show sass: %s: cannot be written: %s", path, strerror(failure));
    else
        code = disassemble(path, error);
    unlink(path);
    return code;
}
