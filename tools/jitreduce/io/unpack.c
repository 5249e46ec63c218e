/* Unpacks gzip and deflate by zlib and zstd by libzstd. */
#include "unpack.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

struct cli_unpack {
    cli_packing packing;
    cli_packed from;
    bool inside;   /* a stream has begun and has not ended */
    bool ended;    /* no packed byte follows */
    z_stream gzip; /* deflate, too */
    ZSTD_DStream *zstd;
    size_t used, filled; /* of `packed` */
    char packed[CLI_PACKED_BYTES];
};

/* What one step of a library came to. */
typedef struct step {
    size_t used, made; /* packed bytes taken, bytes made of them */
    bool at_end;       /* of a stream */
    const char *fault; /* NULL: none */
} step;

cli_packing cli_packing_of(const char *bytes, size_t count) {
    if (count >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0) return CLI_PACKING_GZIP;
    if (count >= 4 && memcmp(bytes, "\x28\xb5\x2f\xfd", 4) == 0) return CLI_PACKING_ZSTD;
    return CLI_PACKING_NONE;
}

static cli_exit fail_begin(const char *name, cli_error *error) {
    return cli_fail(error, CLI_FAILURE, "%s: out of memory for unpacking", name);
}

cli_exit cli_unpack_open(cli_packing packing, const cli_packed *packed, cli_unpack **unpack, cli_error *error) {
    cli_unpack *made = calloc(1, sizeof *made);
    if (made == NULL) return fail_begin(packed->name, error);
    made->packing = packing;
    made->from = *packed;
    made->filled = packed->first_bytes;
    made->inside = packing == CLI_PACKING_DEFLATE; /* a stream of no byte has not ended */
    if (packed->first_bytes > 0) memcpy(made->packed, packed->first, packed->first_bytes);
    const int window = packing == CLI_PACKING_GZIP ? 15 + 16 : -15; /* gzip's header; none */
    const bool begun = packing == CLI_PACKING_ZSTD ? (made->zstd = ZSTD_createDStream()) != NULL
                                                   : inflateInit2(&made->gzip, window) == Z_OK;
    if (!begun) {
        free(made);
        return fail_begin(packed->name, error);
    }
    *unpack = made;
    return CLI_OK;
}

static step step_gzip(cli_unpack *unpack, char *to, size_t bytes) {
    z_stream *gzip = &unpack->gzip;
    const uInt most = bytes < 1u << 30 ? (uInt)bytes : 1u << 30, left = (uInt)(unpack->filled - unpack->used);
    gzip->next_in = (Bytef *)unpack->packed + unpack->used;
    gzip->avail_in = left;
    gzip->next_out = (Bytef *)to;
    gzip->avail_out = most;
    const int status = inflate(gzip, Z_NO_FLUSH);
    step made = {.used = left - gzip->avail_in, .made = most - gzip->avail_out, .at_end = status == Z_STREAM_END};
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
        made.fault = gzip->msg != NULL ? gzip->msg : "the data is damaged";
    if (made.at_end && inflateReset(gzip) != Z_OK) made.fault = "the next stream cannot be begun";
    return made;
}

static step step_zstd(cli_unpack *unpack, char *to, size_t bytes) {
    ZSTD_inBuffer in = {unpack->packed + unpack->used, unpack->filled - unpack->used, 0};
    ZSTD_outBuffer out = {to, bytes, 0};
    const size_t status = ZSTD_decompressStream(unpack->zstd, &out, &in);
    return (step){.used = in.pos,
                  .made = out.pos,
                  .at_end = status == 0,
                  .fault = ZSTD_isError(status) ? ZSTD_getErrorName(status) : NULL};
}

static cli_exit fill(cli_unpack *unpack, void *user, cli_error *error) {
    const cli_exit code = unpack->from.read(user, unpack->packed, sizeof unpack->packed, &unpack->filled, error);
    unpack->used = 0;
    if (code != CLI_OK) unpack->filled = 0;
    unpack->ended = unpack->filled == 0;
    return code;
}

cli_exit cli_unpack_read(cli_unpack *unpack, void *user, char *to, size_t bytes, size_t *got, cli_error *error) {
    static const char *const kinds[] = {
        [CLI_PACKING_GZIP] = "gzip", [CLI_PACKING_ZSTD] = "zstd", [CLI_PACKING_DEFLATE] = "deflate"};
    const bool once = unpack->packing == CLI_PACKING_DEFLATE;
    const char *kind = kinds[unpack->packing];
    for (*got = 0; *got == 0;) {
        if (once && !unpack->inside) return CLI_OK;
        if (unpack->used == unpack->filled && !unpack->ended) {
            const cli_exit code = fill(unpack, user, error);
            if (code != CLI_OK) return code;
        }
        if (unpack->ended && !unpack->inside) return CLI_OK;
        const step made = (unpack->packing == CLI_PACKING_ZSTD ? step_zstd : step_gzip)(unpack, to, bytes);
        if (made.fault != NULL)
            return cli_fail(error, CLI_FAILURE, "%s: cannot be unpacked (%s): %s", unpack->from.name, kind, made.fault);
        if (unpack->ended && made.made == 0 && !made.at_end)
            return cli_fail(error, CLI_FAILURE, "%s: the packed data (%s) ends early", unpack->from.name, kind);
        unpack->inside = !made.at_end;
        unpack->used += made.used;
        *got = made.made;
    }
    return CLI_OK;
}

void cli_unpack_close(cli_unpack *unpack) {
    if (unpack == NULL) return;
    if (unpack->packing != CLI_PACKING_ZSTD) inflateEnd(&unpack->gzip);
    ZSTD_freeDStream(unpack->zstd);
    free(unpack);
}
