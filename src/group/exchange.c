/* Exchanges over a transport.
 *
 * All ranks decide by the same bytes, those of all of them: whether they are at the same step, and whether one has
 * failed, in which case the reasons are exchanged, too. So none waits for what another one will not send. */
#include "exchange.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { REASON_BYTES = 512 };

/* What every rank sends before its payload. All versions have the same layout. */
typedef struct frame {
    char magic[8];
    uint32_t step;
    int32_t status;
    uint64_t number, bytes;
} frame;

static const char magic[8] = "jrgroup";

static const char *step_name(uint32_t step) {
    switch (step) {
#define STEP_NAME(name, number, text)                                                                                  \
    case number: return text;
        JR_STEPS(STEP_NAME)
#undef STEP_NAME
    default: return "something unknown";
    }
}

static size_t room(size_t payload_bytes) {
    return sizeof(frame) + (payload_bytes > REASON_BYTES ? payload_bytes : REASON_BYTES);
}

jr_status jr_exchange_open(const jr_group_options *options, size_t payload_bytes, jr_exchange *exchange) {
    *exchange = (jr_exchange){.rank = options->rank, .ranks = options->ranks};
    if (options->allgather == NULL) return JR_OK;
    return jr_transport_open(options, room(payload_bytes), &exchange->transport);
}

void jr_exchange_close(jr_exchange *exchange) {
    jr_transport_close(exchange->transport);
}

jr_status jr_exchange_reserve(jr_exchange *exchange, size_t payload_bytes) {
    return exchange->transport != NULL ? jr_transport_reserve(exchange->transport, room(payload_bytes)) : JR_OK;
}

const void *jr_exchange_of(const jr_exchange *exchange, int rank) {
    return exchange->all + (size_t)rank * exchange->stride;
}

static frame frame_of(const jr_exchange *exchange, int rank) {
    frame found;
    memcpy(&found, (const unsigned char *)jr_exchange_of(exchange, rank) - sizeof found, sizeof found);
    return found;
}

/* Gathers the bytes of all ranks, one after the other, each after its frame. */
static jr_status gather(jr_exchange *exchange, const frame *own, const void *bytes) {
    unsigned char *mine = jr_transport_mine(exchange->transport);
    memcpy(mine, own, sizeof *own);
    if (bytes != NULL)
        memcpy(mine + sizeof *own, bytes, own->bytes);
    else
        memset(mine + sizeof *own, 0, own->bytes);
    const jr_status status = jr_transport_gather(exchange->transport, sizeof *own + own->bytes);
    exchange->stride = sizeof *own + own->bytes;
    exchange->all = (const unsigned char *)jr_transport_all(exchange->transport) + sizeof *own;
    return status;
}

/* All ranks find the same, and go on with the same number. */
static jr_status check_steps(jr_exchange *exchange) {
    const frame first = frame_of(exchange, 0);
    int other = -1;
    uint64_t number = first.number;
    for (int rank = 0; rank < exchange->ranks; rank++) {
        const frame at = frame_of(exchange, rank);
        if (memcmp(at.magic, magic, sizeof magic) != 0)
            return jr_fail(JR_ERROR_TRANSPORT, "what the transport says to be of rank %d was not sent by a group",
                           rank);
        if (at.step != first.step || at.number != first.number || at.bytes != first.bytes) other = rank;
        if (at.number > number) number = at.number;
    }
    exchange->number = number + 1;
    if (other < 0) return JR_OK;
    const frame at = frame_of(exchange, other);
    return jr_fail(JR_ERROR_RANKS_DIFFER,
                   "rank 0 is %s (exchange %llu, %llu bytes), rank %d %s (exchange %llu, %llu bytes): all ranks must "
                   "make the same calls of a group in the same order",
                   step_name(first.step), (unsigned long long)first.number, (unsigned long long)first.bytes, other,
                   step_name(at.step), (unsigned long long)at.number, (unsigned long long)at.bytes);
}

static int find_failed(const jr_exchange *exchange) {
    for (int rank = 0; rank < exchange->ranks; rank++)
        if (frame_of(exchange, rank).status != JR_OK) return rank;
    return -1;
}

/* Some rank has failed: sends all ranks the reason. */
static jr_status exchange_reasons(jr_exchange *exchange, const frame *before, const char *reason) {
    frame own = *before;
    own.number = exchange->number++;
    own.bytes = REASON_BYTES;
    const jr_status status = gather(exchange, &own, reason);
    if (status != JR_OK) return status;
    const int failed = find_failed(exchange);
    const char *why = jr_exchange_of(exchange, failed);
    return jr_fail(JR_ERROR_RANK, "rank %d failed: %s: %.*s", failed,
                   jr_status_name((jr_status)frame_of(exchange, failed).status), (int)strnlen(why, REASON_BYTES), why);
}

/* own: what this rank returns if it has failed; its record is kept by the caller. */
static jr_status exchange_with_others(jr_exchange *exchange, jr_status own, const jr_payload *payload) {
    char reason[REASON_BYTES] = "";
    frame mine = {.step = payload->step, .status = own, .number = exchange->number, .bytes = payload->count};
    memcpy(mine.magic, magic, sizeof magic);
    if (own != JR_OK) snprintf(reason, sizeof reason, "%s", jr_last_error()->message);
    JR_TRY(gather(exchange, &mine, own == JR_OK ? payload->bytes : NULL));
    JR_TRY(check_steps(exchange));
    return find_failed(exchange) >= 0 ? exchange_reasons(exchange, &mine, reason) : JR_OK;
}

jr_status jr_exchange_run(jr_exchange *exchange, jr_status own, const jr_payload *payload) {
    if (exchange->transport == NULL) {
        exchange->all = payload->bytes;
        return own;
    }
    if (own == JR_OK) return exchange_with_others(exchange, own, payload);
    JR_KEEP_ERROR;
    exchange_with_others(exchange, own, payload);
    return own;
}
