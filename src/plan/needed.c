/* Walks through all that may be chosen. */
#include "needed.h"

#include "base/error.h"
#include "choice.h"

/* What choices depend on of a device, by its compute capability; one that is not listed is as the last below it.
 * Source: CUDA C++ Programming Guide 13.0, "Technical Specifications per Compute Capability": most shared memory of a
 * block, of which it gets 48 KiB without asking. */
static const struct {
    int capability;
    uint64_t shared_kib;
} devices[] = {{75, 64},  {80, 163},  {86, 99},   {87, 163},  {89, 99},
               {90, 227}, {100, 227}, {103, 227}, {110, 227}, {120, 99}};

/* A device of a compute capability whose memory has the bandwidth that a class asks for. */
static jr_device_info device_of(int capability, jr_device_class class) {
    enum {
        DEVICES = sizeof devices / sizeof *devices,
        MULTIPROCESSORS = 8, /* of which every device has two at least */
        BUS_BITS = 8192
    };
    static const double MORE = 1.01; /* than the class must have more than */
    const double bytes_per_ms = MORE * 1e6 * jr_tuned_class_rate(class) * MULTIPROCESSORS;
    int d = DEVICES - 1;
    while (d > 0 && devices[d].capability > capability) d--;
    return (jr_device_info){.capability_major = capability / 10,
                            .capability_minor = capability % 10,
                            .multiprocessor_count = MULTIPROCESSORS,
                            .memory_clock_khz = (int)(bytes_per_ms * 8 / 2 / BUS_BITS),
                            .memory_bus_bits = BUS_BITS,
                            .warp_size = 32,
                            .max_threads_per_block = 1024,
                            .shared_bytes_per_block = 48 << 10,
                            .shared_bytes_per_block_optin = devices[d].shared_kib << 10};
}

static jr_status each_of(const jr_job *job, jr_program_visit *visit, void *user);

/* The programs of a job as it is, and of its first step. */
static jr_status each_chosen(const jr_job *job, jr_program_visit *visit, void *user) {
    jr_choice choice;
    jr_status status = jr_choice_make(job, &choice);
    if (status == JR_OK && choice.row->first_job != NULL) {
        const jr_job first = choice.row->first_job(job);
        status = each_of(&first, visit, user);
    }
    return status == JR_OK ? jr_programs_each(job->reduction, &choice, jr_job_heads(job), visit, user) : status;
}

/* Visits the programs for host data that goes through the device in parts, which not every requested algorithm can
 * do. */
static jr_status each_in_parts(const jr_job *job, jr_program_visit *visit, void *user) {
    jr_job parts = *job;
    parts.host_bytes = 2;
    parts.requested.device_bytes = 1; /* fewer than there are */
    jr_error_saved *saved = jr_error_save();
    const jr_status status = each_chosen(&parts, visit, user);
    if (status != JR_ERROR_NOT_APPLICABLE) {
        jr_error_discard(saved);
        return status;
    }
    jr_error_restore(saved);
    return JR_OK;
}

/* Visits the programs for data in device memory, and for data in host memory. */
static jr_status each_of(const jr_job *job, jr_program_visit *visit, void *user) {
    jr_job host = *job;
    host.on_host = true;
    host.free_bytes = UINT64_MAX;
    host.view.arrays = 0; /* its elements are gathered on their way to the device */
    JR_TRY(each_chosen(job, visit, user));
    JR_TRY(each_chosen(&host, visit, user));
    return each_in_parts(&host, visit, user);
}

/* Choices change at counts where the bytes pass a power of two, or what is one more than that. */
static jr_status each_count(const jr_job *job, jr_program_visit *visit, void *user) {
    enum { OCTAVES = 40 };
    jr_job counted = *job;
    jr_status status = each_of(job, visit, user);
    if (job->requested.capacity > 0) return status;
    for (int octave = 0; status == JR_OK && octave <= OCTAVES; octave++) {
        counted.requested.capacity = 1ull << octave;
        status = each_of(&counted, visit, user);
    }
    return status;
}

/* A long segment in the host's memory goes through the device in pieces, each reduced as all elements are. */
static jr_status each_of_pieces(const jr_job *segments, jr_program_visit *visit, void *user) {
    jr_job pieces = *segments;
    if (segments->kind != JR_JOB_SEGMENTS || jr_job_is_of_runs(segments)) return JR_OK;
    pieces.kind = JR_JOB_FLAT;
    pieces.layout = (jr_segment_layout){.kind = 0};
    pieces.view.arrays = 0;
    return each_count(&pieces, visit, user);
}

/* Of one device. */
static jr_status each_on(const jr_device_info *device, const jr_needed *needed, jr_program_visit *visit, void *user) {
    jr_job job = needed->job;
    job.device = device;
    jr_status status = jr_job_make(needed->spec, &job);
    if (status == JR_OK) status = each_count(&job, visit, user);
    if (status == JR_OK) status = each_of_pieces(&job, visit, user);
    jr_job_free(&job);
    return status;
}

jr_status jr_needed_each(const jr_needed *needed, int capability, jr_program_visit *visit, void *user) {
    for (int class = 0; class < JR_DEVICE_CLASSES; class ++) {
        const jr_device_info device = device_of(capability, (jr_device_class) class);
        if (jr_tuned_class_of(&device) != (jr_device_class) class) continue; /* no such device is in it */
        JR_TRY(each_on(&device, needed, visit, user));
    }
    return JR_OK;
}
