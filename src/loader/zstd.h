/* zstd's function table: libzstd.so.1, opened when a compressed pack is read or made and never linked. */
#ifndef JR_LOADER_ZSTD_H
#define JR_LOADER_ZSTD_H

#include <stddef.h>

#include "base/files.h"
#include "jitreduce/status.h"

/* The stable interface of 1.3 and later. Source: zstd.h and zdict.h of zstd 1.5 (their documentation of parameters). */
#define JR_ZSTD_FUNCTIONS(XX)                                                                                          \
    XX(unsigned, ZSTD_isError, (size_t code))                                                                          \
    XX(const char *, ZSTD_getErrorName, (size_t code))                                                                 \
    XX(size_t, ZSTD_compressBound, (size_t bytes))                                                                     \
    XX(void *, ZSTD_createCCtx, (void))                                                                                \
    XX(size_t, ZSTD_freeCCtx, (void *context))                                                                         \
    XX(void *, ZSTD_createCDict, (const void *dictionary, size_t dictionary_bytes, int level))                         \
    XX(size_t, ZSTD_freeCDict, (void *dictionary))                                                                     \
    XX(size_t, ZSTD_compress_usingCDict,                                                                               \
       (void *context, void *to, size_t room, const void *from, size_t bytes, const void *dictionary))                 \
    XX(void *, ZSTD_createDCtx, (void))                                                                                \
    XX(size_t, ZSTD_freeDCtx, (void *context))                                                                         \
    XX(void *, ZSTD_createDDict, (const void *dictionary, size_t dictionary_bytes))                                    \
    XX(size_t, ZSTD_freeDDict, (void *dictionary))                                                                     \
    XX(size_t, ZSTD_decompress_usingDDict,                                                                             \
       (void *context, void *to, size_t room, const void *from, size_t bytes, const void *dictionary))                 \
    XX(size_t, ZSTD_decompress_usingDict,                                                                              \
       (void *context, void *to, size_t room, const void *from, size_t bytes, const void *dictionary,                  \
        size_t dictionary_bytes))                                                                                      \
    XX(unsigned, ZDICT_isError, (size_t code))                                                                         \
    XX(size_t, ZDICT_trainFromBuffer,                                                                                  \
       (void *dictionary, size_t room, const void *samples, const size_t *sample_bytes, unsigned samples_count))

typedef struct jr_zstd {
    void *library;
    char path[JR_PATH_BYTES];
#define JR_ZSTD_FIELD(type, name, parameters) type(*name) parameters;
    JR_ZSTD_FUNCTIONS(JR_ZSTD_FIELD)
#undef JR_ZSTD_FIELD
} jr_zstd;

/* Opens the linker's zstd. Errors: JR_ERROR_MISSING_FUNCTION: no library is found, or it lacks a function. */
jr_status jr_zstd_open(jr_zstd *zstd);
void jr_zstd_close(jr_zstd *zstd); /* one that was zeroed is fine */

#endif
