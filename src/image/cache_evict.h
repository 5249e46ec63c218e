/* Keeping the disk cache's folder below its cap. */
#ifndef JR_IMAGE_CACHE_EVICT_H
#define JR_IMAGE_CACHE_EVICT_H

#include <stdint.h>

#include "base/digest.h"
#include "jitreduce/status.h"

#define JR_CACHE_SUFFIX ".jri"
enum { JR_CACHE_NAME_BYTES = JR_DIGEST_HEX_BYTES + sizeof JR_CACHE_SUFFIX - 1 };

/* Removes the least recently used entries until the others take at most cap_bytes, sparing the entry called kept, and
 * half-written files that a process left behind an hour ago or longer. Files of other names stay. */
jr_status jr_cache_evict(const char *folder, uint64_t cap_bytes, const char *kept);

#endif
