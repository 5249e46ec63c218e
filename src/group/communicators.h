/* Communicators: NCCL's, one of each device of this rank, made once for a group and used by all that goes by NCCL.
 *
 * None of NCCL's calls waits: how they go on is asked until they are done, it is too late, or one has failed; then all
 * communicators are aborted, which ends what they have put on streams, and the group needs new ones. */
#ifndef JR_GROUP_COMMUNICATORS_H
#define JR_GROUP_COMMUNICATORS_H

#include "group.h"
#include "loader/cuda_abi.h"
#include "loader/nccl.h"

typedef struct jr_communicators jr_communicators;

/* Makes the group's communicators, unless it has them; the group frees them with itself. Collective: two exchanges, in
 * which ranks learn of failures. path: see jr_nccl_open. limit_ms: 0: no limit. Errors: JR_ERROR_NOT_APPLICABLE,
 * JR_ERROR_TRANSPORT, JR_ERROR_RANK. */
jr_status jr_communicators_make(jr_group *group, jr_status status, const char *path, double limit_ms);

/* Ends what they have under way, which waits for a rank that is lost, and gives them up. */
void jr_communicators_abort(jr_group *group);

/* Gathers the bytes of all devices, those of each device i from from[i] to to[i], on its stream. Errors:
 * JR_ERROR_TRANSPORT. */
typedef struct jr_gathering {
    const jr_cu_deviceptr *from, *to;
    size_t bytes; /* of a device */
    const jr_stream *streams;
    double limit_ms;
} jr_gathering;
jr_status jr_communicators_gather(jr_group *group, const jr_gathering *asked);

/* Waits for streams, each in its device's context. Errors: JR_ERROR_TRANSPORT, JR_ERROR_DRIVER, JR_ERROR_DEVICE_FAULT.
 */
jr_status jr_communicators_await(jr_group *group, const jr_stream *streams, double limit_ms);

#endif
