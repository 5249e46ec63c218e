/* Holds signals back. */
#include "interrupt.h"

#include <stdio.h>

void cli_interrupt_block(sigset_t *before) {
    static const int signals[] = {SIGINT, SIGTERM};
    sigset_t blocked;
    sigemptyset(&blocked);
    for (int i = 0; i < 2; i++) {
        struct sigaction now;
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaddset(&blocked, signals[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, before);
}

bool cli_interrupt_waits(void) {
    sigset_t waiting;
    return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1);
}

void cli_interrupt_release(const sigset_t *before) {
    fflush(stdout);
    sigprocmask(SIG_SETMASK, before, NULL);
}
