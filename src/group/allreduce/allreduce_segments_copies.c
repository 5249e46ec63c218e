/* What devices that reach each other do on their streams: records of events, and copies. */
#include "allreduce_segments.h"

jr_status jr_allreduce_segments_record(const jr_allreduce *allreduce, size_t index, jr_cu_event event) {
    const jr_device *device = &allreduce->plan->group->contexts[index]->device;
    JR_INSIDE inside = jr_inside_device(device);
    jr_status status = inside.status;
    if (status == JR_OK)
        status = jr_driver_check(&device->driver, device->driver.cuEventRecord(event, allreduce->streams[index]),
                                 "recording an event");
    return jr_group_plan_explain(allreduce->plan, index, status);
}

jr_cu_result jr_allreduce_segments_copy(const jr_allreduce *allreduce, size_t to, jr_cu_deviceptr target, size_t from,
                                        jr_cu_deviceptr source, uint64_t bytes) {
    const jr_device *source_device = &allreduce->plan->group->contexts[from]->device,
                    *target_device = &allreduce->plan->group->contexts[to]->device;
    const jr_driver *driver = &target_device->driver;
    jr_cu_stream stream = allreduce->streams[to];
    if (from == to) return driver->cuMemcpyDtoDAsync_v2(target, source, (size_t)bytes, stream);
    return driver->cuMemcpyPeerAsync(target, target_device->context, source, source_device->context, (size_t)bytes,
                                     stream);
}
