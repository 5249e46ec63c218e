/* What the tests of packs share. */
#include "support/pack_case.h"

#include <stdio.h>

char pack_folder[SCRATCH_BYTES], pack_path[2 * SCRATCH_BYTES];
const jr_options pack_hidden = {.size = sizeof(jr_options), .nvrtc = "/no/nvrtc", .cache_dir = ""};

int pack_begin(void **state) {
    scratch_make(pack_folder);
    snprintf(pack_path, sizeof pack_path, "%s/a.jrpack", pack_folder);
    return open_context(state);
}

int pack_end(void **state) {
    scratch_remove(pack_folder);
    return close_context(state);
}

/* A pack for the device under test. */
jr_pack *pack_for(const opened *device) {
    char name[32];
    const char *architectures[] = {name};
    jr_pack *pack = NULL;
    snprintf(name, sizeof name, "sm_%d%d", device->info.capability_major, device->info.capability_minor);
    if (device->info.simulated) snprintf(name, sizeof name, "sim");
    works(jr_pack_create(NULL, &JR_INIT(jr_pack_options, .architectures = architectures, .architecture_count = 1),
                         &pack));
    return pack;
}

void pack_write(jr_pack *pack) {
    works(jr_pack_write(pack, pack_path));
    jr_pack_destroy(pack);
}

opened pack_open(const opened *device, jr_options options) {
    opened made = *device;
    if (options.packs == NULL) options.packs = pack_path;
    works(jr_context_open(&options, &made.context));
    return made;
}

jr_counters pack_counters(const opened *device) {
    jr_counters counters = JR_INIT(jr_counters);
    works(jr_context_counters(device->context, &counters));
    return counters;
}

jr_origin pack_origin(const opened *device) {
    jr_stats stats = JR_INIT(jr_stats);
    works(jr_context_stats(device->context, &stats));
    return stats.origin;
}
