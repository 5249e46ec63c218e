/* Error numbers in words: the list of cuda_abi.h, and a list of texts that grows with each new fault. */
#include "error_text.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cuda_abi.h"

static const struct {
    const char *name;
    int number;
    const char *sentence;
} rows[] = {
#define ROW(name, number, text) {#name, number, text},
    JR_CU_RESULTS(ROW)
#undef ROW
};

typedef struct kept {
    struct kept *next;
    char text[];
} kept;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static kept *texts;

const char *jrs_error_name(int error) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == error) return rows[i].name;
    return NULL;
}

const char *jrs_error_sentence(int error) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (rows[i].number == error) return rows[i].sentence;
    return NULL;
}

/* Lock held. */
static const char *keep(const char *text, size_t length) {
    for (const kept *known = texts; known; known = known->next)
        if (strcmp(known->text, text) == 0) return known->text;
    kept *fresh = malloc(sizeof *fresh + length + 1);
    if (!fresh) return NULL;
    memcpy(fresh->text, text, length + 1);
    fresh->next = texts;
    texts = fresh;
    return fresh->text;
}

const char *jrs_error_text_keep(int error, const char *detail) {
    const char *sentence = jrs_error_sentence(error);
    if (!sentence) sentence = "unknown error";
    size_t room = strlen(sentence) + strlen(detail) + 3;
    char *text = malloc(room);
    if (!text) return sentence;
    int length = snprintf(text, room, "%s: %s", sentence, detail);
    pthread_mutex_lock(&lock);
    const char *result = keep(text, (size_t)length);
    pthread_mutex_unlock(&lock);
    free(text);
    return result ? result : sentence;
}
