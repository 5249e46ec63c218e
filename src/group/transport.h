/* The transport: the caller's way to the other ranks, with a limit on how long it may take. */
#ifndef JR_GROUP_TRANSPORT_H
#define JR_GROUP_TRANSPORT_H

#include "jitreduce/group.h"

typedef struct jr_transport jr_transport;

/* What calls the callback; the memory that it is given. most_bytes: of what one rank gives at a time, to begin with.
 * Errors: JR_ERROR_OUT_OF_MEMORY (no memory, or no thread). */
jr_status jr_transport_open(const jr_group_options *options, size_t most_bytes, jr_transport **transport);

/* Closes it. NULL is fine. While a callback is still under way, its thread and memory stay until it has come back. */
void jr_transport_close(jr_transport *transport);

/* Makes room for more. Errors: JR_ERROR_OUT_OF_MEMORY. */
jr_status jr_transport_reserve(jr_transport *transport, size_t most_bytes);

/* Where this rank's bytes are to be written, and where those of all ranks are. */
void *jr_transport_mine(const jr_transport *transport);
const void *jr_transport_all(const jr_transport *transport);

/* Brings the bytes together. Errors: JR_ERROR_TRANSPORT. */
jr_status jr_transport_gather(jr_transport *transport, size_t bytes);

#endif
