/* What the command says when it fails, and with which exit code it says it. */
#ifndef CLI_ERROR_H
#define CLI_ERROR_H

#include <stdbool.h>

#include <jitreduce.h>

/* Exit code, when it is used (shown by --help). */
#define CLI_EXITS(XX)                                                                                                  \
    XX(OK, 0, "success")                                                                                               \
    XX(FAILURE, 1, "bad input data, or a failure while running")                                                       \
    XX(USAGE, 2, "a wrong option or value on the command line")                                                        \
    XX(NO_DEVICE, 3, "no GPU and no simulator, or no NVRTC; the message names what to install")

typedef enum cli_exit {
#define CLI_EXIT_ENUM(name, number, text) CLI_##name = (number),
    CLI_EXITS(CLI_EXIT_ENUM)
#undef CLI_EXIT_ENUM
} cli_exit;

/* The reason for a failure: one line without the leading "jitreduce: ", and the compiler's log when there is one. */
typedef struct cli_error {
    char message[2048];
    char log[17 * 1024];
    bool of_type;    /* an element does not fit the type that is asked for */
    bool of_another; /* another rank of --mpi has failed, and prints the message itself */
} cli_error;

/* Writes the reason. */
__attribute__((format(printf, 2, 3))) void cli_error_set(cli_error *error, const char *format, ...);

/* Writes the reason and is the exit code, so that a caller can `return cli_fail(...)`. A macro, because static
 * analysers do not look into functions with `...` and would take the code for unknown. */
#define cli_fail(error, code, ...) (cli_error_set(error, __VA_ARGS__), (code))

/* Writes the library's last error as the reason, with what to install where that helps. Returns its exit code. */
cli_exit cli_fail_library(cli_error *error, jr_status status);

/* Prints the reason on stderr, the way every failure of the command looks. */
void cli_error_print(const cli_error *error);

/* Copies at most 40 bytes of text into buffer (at least 64 bytes), control characters and what is no UTF-8 as \xNN.
 * Returns buffer. */
const char *cli_quote(const char *begin, const char *end, char *buffer);

#endif
