/* Uploads of host memory whose elements lie apart: without gaps on the device, through a few pieces of host memory. */
#ifndef JR_DEVICE_GATHER_UPLOAD_H
#define JR_DEVICE_GATHER_UPLOAD_H

#include "gather.h"
#include "staging.h"

/* Copies bytes that would lie at from->at without gaps; little through one piece, much through the ring of staging.h,
 * which threads fill. The source may be reused when the call returns. Errors: JR_ERROR_OUT_OF_MEMORY, JR_ERROR_DRIVER,
 * JR_ERROR_DEVICE_FAULT. */
jr_status jr_gather_upload(const jr_device *device, jr_cu_deviceptr to, const jr_gather *gather, const jr_bytes *from,
                           jr_cu_stream stream);

#endif
