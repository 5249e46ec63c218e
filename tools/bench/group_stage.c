/* Opens GPUs and a peer, fills the GPUs' buffers and prints rows for the benchmarks of groups. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group_stage.h"

static void open_group(const char *devices, group_stage *stage) {
    const jr_group_options options = JR_INIT(jr_group_options, .devices = devices);
    bench_check(jr_group_open(&options, &stage->group), "opening a group");
    stage->devices = jr_group_size(stage->group);
    bench_demand(stage->devices <= GROUP_DEVICES_MAX, "%zu devices: at most %d", stage->devices, GROUP_DEVICES_MAX);
    for (size_t i = 0; i < stage->devices; i++) {
        jr_device_info info = JR_INIT(jr_device_info);
        bench_check(jr_context_device_info(jr_group_context(stage->group, i), &info), "describing a device");
        stage->ordinals[i] = info.ordinal;
        stage->simulated = info.simulated;
        printf("# device %zu: %s\n", i, info.name);
    }
}

static uint64_t read_count(const char *text) {
    char *end;
    const uint64_t count = strtoull(text, &end, 10);
    bench_demand(*text >= '1' && *text <= '9' && *end == '\0' && count < UINT64_MAX,
                 "'%s' is not a whole number of elements from 1 on", text);
    return count;
}

static void read_counts(group_stage *stage, int count, char **texts, const uint64_t *usual) {
    for (int i = 0; i < count && i < GROUP_COUNTS_MAX; i++) stage->counts[stage->count_count++] = read_count(texts[i]);
    for (size_t i = 0; count <= 0 && i < (stage->simulated ? 1 : GROUP_COUNTS_USUAL); i++)
        stage->counts[stage->count_count++] = usual[i];
    for (int i = 0; i < stage->count_count; i++)
        if (stage->most < stage->counts[i]) stage->most = stage->counts[i];
}

void group_stage_open(int argc, char **argv, int counts_at, const uint64_t usual[GROUP_COUNTS_USUAL],
                      group_stage *stage) {
    const char *named = getenv("JITREDUCE_DEVICE");
    open_group(argc > 1 ? argv[1] : named != NULL && strncmp(named, "sim", 3) == 0 ? "sim:all" : "cuda:all", stage);
    stage->rounds = argc > 2 ? bench_number(argv[2]) : stage->simulated ? 1 : 101;
    bench_demand(stage->rounds >= 1 && stage->rounds <= GROUP_ROUNDS_MAX, "%d rounds: 1 to %d", stage->rounds,
                 GROUP_ROUNDS_MAX);
    read_counts(stage, argc - counts_at, argv + counts_at, usual);
}

void group_stage_fill(group_stage *stage, uint64_t room, uint64_t out_count, float (*element)(uint64_t, size_t)) {
    enum { PIECE = 1 << 22 };
    float *piece = malloc(PIECE * sizeof *piece);
    bench_demand(piece != NULL, "no host memory");
    stage->room = room;
    for (size_t i = 0; i < stage->devices; i++) {
        jr_context *context = jr_group_context(stage->group, i);
        bench_check(jr_memory_new(context, room * sizeof *piece, (void **)&stage->d_in[i]), "allocating");
        bench_check(jr_memory_new(context, out_count * sizeof *piece, (void **)&stage->d_out[i]), "allocating");
        for (uint64_t at = 0; at < room; at += PIECE) {
            const uint64_t left = room - at < PIECE ? room - at : PIECE;
            for (uint64_t e = 0; e < left; e++) piece[e] = element(at + e, i);
            bench_check(jr_memory_write(context, stage->d_in[i] + at, piece, left * sizeof *piece), "copying");
        }
    }
    free(piece);
}

void group_stage_open_peer(group_stage *stage, const char *path) {
    if (strcmp(path, "-") == 0) return;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    group_peer_get_fn get = NULL;
    if (library != NULL) *(void **)&get = dlsym(library, "group_peer_get");
    bench_demand(get != NULL, "%s is not a peer: %s", path, library == NULL ? dlerror() : "it has no group_peer_get");
    stage->peer = get();
    bench_demand(stage->peer->version == GROUP_PEER_VERSION, "%s was built with another group_peer.h", path);
    stage->handle = stage->peer->open((int)stage->devices, stage->ordinals, stage->room);
    bench_demand(stage->handle != NULL, "%s cannot use these devices", stage->peer->name);
    printf("# peer: %s\n", stage->peer->name);
}

void group_stage_close(group_stage *stage) {
    if (stage->peer != NULL) stage->peer->close(stage->handle);
    for (size_t i = 0; i < stage->devices; i++) {
        jr_memory_free(jr_group_context(stage->group, i), stage->d_in[i]);
        jr_memory_free(jr_group_context(stage->group, i), stage->d_out[i]);
    }
    jr_group_close(stage->group);
}

void group_stage_call(const group_stage *stage, uint64_t at, uint64_t count, group_call *made) {
    for (size_t i = 0; i < stage->devices; i++) {
        made->arrays[i] = stage->d_in[i] + at;
        made->in[i] = &made->arrays[i];
        made->counts[i] = count;
    }
    made->parts = JR_INIT(jr_group_parts, .d_in = made->in, .counts = made->counts);
}

void group_stage_print(const group_stage *stage, uint64_t count, const char *measure, const char *contestant,
                       double *us) {
    const double median = bench_median(us, stage->rounds); /* sorted now */
    printf("%zu,%llu,%s,%s,%.2f,%.2f\n", stage->devices, (unsigned long long)count, measure, contestant, median, us[0]);
    fflush(stdout);
}
