/* The memo: the kernels of a context by key, each made by one thread while the others wait (single flight).
 *
 * An entry is "in the making" until its maker says how it ended. A failure leaves no entry: the next waiter becomes the
 * maker. No lock is held while a kernel is made. */
#ifndef JR_KERNEL_MEMO_H
#define JR_KERNEL_MEMO_H

#include <pthread.h>

#include "loaded.h"
#include "program/key.h"

enum { JR_MEMO_BUCKETS = 256 };

typedef struct jr_memo_entry jr_memo_entry;

typedef struct jr_memo {
    pthread_mutex_t lock; /* guards the rest */
    pthread_cond_t ended; /* some making has ended */
    jr_memo_entry *buckets[JR_MEMO_BUCKETS];
} jr_memo;

void jr_memo_open(jr_memo *memo);
void jr_memo_close(jr_memo *memo); /* frees all kernels; nothing may be in the making */

/* Finds the kernel of a key. *kernel NULL on success means: the caller is its maker now, and must call jr_memo_end.
 * Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_memo_begin(jr_memo *memo, const jr_key *key, jr_kernel **kernel);

/* Ends a making: kernel becomes the entry's, NULL (it failed) removes the entry. Wakes the waiters. */
void jr_memo_end(jr_memo *memo, const jr_key *key, jr_kernel *kernel);

#endif
