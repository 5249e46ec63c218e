/* While the command works, signals that end it are deferred, so that it prints first what it has found. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>

/* Blocks SIGINT and SIGTERM where they are not ignored, also for the threads that are started from then on. */
void cli_interrupt_block(sigset_t *before);

/* Whether one of them waits. */
bool cli_interrupt_waits(void);

/* What was printed goes out, then what waits takes its course. */
void cli_interrupt_release(const sigset_t *before);

#endif
