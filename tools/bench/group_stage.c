/* Opens GPUs and a peer, fills the GPUs' buffers and prints rows for group_bench. */
#include "group_stage.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void open_group(const char *devices, int ranks, group_stage *stage) {
    char own[32];
    jr_group_options options = JR_INIT(jr_group_options, .devices = devices);
    if (ranks > 0) {
        stage->ranks = group_ranks_fork(ranks);
        options.rank = group_ranks_number(stage->ranks);
        options.ranks = ranks;
        options.allgather = group_ranks_gather;
        options.user = stage->ranks;
        snprintf(own, sizeof own, strncmp(devices, "sim", 3) == 0 ? "sim" : "cuda:%d", options.rank);
        options.devices = own;
    }
    bench_check(jr_group_open(&options, &stage->group), "opening a group");
    stage->all = jr_group_size(stage->group);
    stage->devices = jr_group_local_count(stage->group);
    bench_demand(stage->devices <= GROUP_DEVICES_MAX, "%zu devices: at most %d", stage->devices, GROUP_DEVICES_MAX);
    for (size_t i = 0; i < stage->devices; i++) {
        jr_device_info info = JR_INIT(jr_device_info);
        bench_check(jr_context_device_info(jr_group_context(stage->group, i), &info), "describing a device");
        stage->ordinals[i] = info.ordinal;
        stage->simulated = info.simulated;
        if (jr_group_first(stage->group) == 0) printf("# device %zu: %s\n", i, info.name);
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

void group_stage_open(int argc, char **argv, const uint64_t usual[GROUP_COUNTS_USUAL], int ranks, group_stage *stage) {
    const char *named = getenv("JITREDUCE_DEVICE");
    open_group(argc > 0                                         ? argv[0]
               : named != NULL && strncmp(named, "sim", 3) == 0 ? "sim:all"
                                                                : "cuda:all",
               ranks, stage);
    stage->rounds = argc > 1 ? bench_number(argv[1]) : stage->simulated ? 1 : 101;
    bench_demand(stage->rounds >= 1 && stage->rounds <= GROUP_ROUNDS_MAX, "%d rounds: 1 to %d", stage->rounds,
                 GROUP_ROUNDS_MAX);
    read_counts(stage, argc - 3, argv + 3, usual);
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

void group_stage_next(group_stage *stage, uint64_t count, group_call *made) {
    stage->at = stage->at + 2 * count <= stage->room ? stage->at + count : 0;
    for (size_t i = 0; i < stage->devices; i++) {
        made->arrays[i] = stage->d_in[i] + stage->at;
        made->in[i] = &made->arrays[i];
        made->counts[i] = count;
    }
    made->parts = JR_INIT(jr_group_parts, .d_in = made->in, .counts = made->counts);
}

void group_stage_gather(group_stage *stage) {
    enum { BYTES = 64 };
    unsigned char mine[BYTES] = {0}, all[GROUP_DEVICES_MAX * BYTES];
    if (stage->ranks == NULL) return;
    bench_demand(group_ranks_gather(stage->ranks, mine, BYTES, all) == 0, "gathering failed");
}

void group_stage_print(const group_stage *stage, uint64_t count, const char *measure, const char *contestant,
                       double *us) {
    const double median = bench_median(us, stage->rounds); /* sorted now */
    if (jr_group_first(stage->group) > 0) return;
    printf("%zu,%llu,%s,%s,%.2f,%.2f\n", stage->all, (unsigned long long)count, measure, contestant, median, us[0]);
    fflush(stdout);
}
