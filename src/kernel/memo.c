/* Keeps kernels by key, with single flight. */
#include "memo.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

struct jr_memo_entry {
    jr_key key;
    jr_kernel *kernel; /* NULL: in the making */
    jr_memo_entry *next;
};

void jr_memo_open(jr_memo *memo) {
    memset(memo->buckets, 0, sizeof memo->buckets);
    pthread_mutex_init(&memo->lock, NULL);
    pthread_cond_init(&memo->ended, NULL);
}

void jr_memo_close(jr_memo *memo) {
    for (size_t i = 0; i < JR_MEMO_BUCKETS; i++)
        for (jr_memo_entry *entry = memo->buckets[i]; entry != NULL;) {
            jr_memo_entry *next = entry->next;
            jr_loaded_destroy(entry->kernel);
            free(entry);
            entry = next;
        }
    pthread_cond_destroy(&memo->ended);
    pthread_mutex_destroy(&memo->lock);
}

/* The link that points to the entry of a key, or to NULL where it would be. Lock held. */
static jr_memo_entry **link_of(jr_memo *memo, const jr_key *key) {
    jr_memo_entry **link = &memo->buckets[key->bytes[0] % JR_MEMO_BUCKETS];
    while (*link != NULL && memcmp(&(*link)->key, key, sizeof *key) != 0) link = &(*link)->next;
    return link;
}

jr_status jr_memo_begin(jr_memo *memo, const jr_key *key, jr_kernel **kernel) {
    jr_status status = JR_OK;
    jr_kernel *found = NULL;
    pthread_mutex_lock(&memo->lock);
    jr_memo_entry **link = link_of(memo, key);
    while (*link != NULL && (*link)->kernel == NULL) {
        pthread_cond_wait(&memo->ended, &memo->lock);
        link = link_of(memo, key);
    }
    if (*link != NULL) {
        found = (*link)->kernel;
    } else {
        *link = calloc(1, sizeof **link);
        if (*link != NULL)
            (*link)->key = *key;
        else
            status = jr_fail(JR_ERROR_OUT_OF_MEMORY, "no memory to remember a kernel");
    }
    pthread_mutex_unlock(&memo->lock);
    if (status == JR_OK) *kernel = found;
    return status;
}

void jr_memo_end(jr_memo *memo, const jr_key *key, jr_kernel *kernel) {
    pthread_mutex_lock(&memo->lock);
    jr_memo_entry **link = link_of(memo, key), *entry = *link;
    if (entry != NULL && kernel != NULL) {
        entry->kernel = kernel;
    } else if (entry != NULL) {
        *link = entry->next;
        free(entry);
    }
    pthread_cond_broadcast(&memo->ended);
    pthread_mutex_unlock(&memo->lock);
}
