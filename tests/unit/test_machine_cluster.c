/* Clusters: shared memory of other blocks, the cluster's barrier, and every misuse reported with its place. */
#include "cluster_kernel.h"

/* ---- what works ---- */

TEST(a_neighbours_values_are_read_after_the_barrier) {
    static machine_case test;
    for (uint64_t seed = 0; seed < 4; seed++) {
        test = (machine_case){.ptx = HEAD("4") OWN SYNC " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC STORE END,
                              .grid = 12,
                              .seed = seed,
                              .resident = seed ? 8 : 1,
                              .threads = seed == 3 ? 2 : 1};
        machine_good(&test);
        for (uint32_t i = 0; i < 12 * 32; i++) assert_int_equal(test.words[i], (i / 32 % 4 + 1) % 4 * 100 + i % 32);
    }
}

TEST(generic_addresses_lead_to_the_same_place) {
    static machine_case test;
    good(&test,
         HEAD("2") OWN SYNC " cvt.u64.u32 %d1, %r4; cvta.shared.u64 %d1, %d1; mapa.u64 %d2, %d1, %r1; ld.u32 %r7, "
                            "[%d2]; isspacep.shared::cta %p1, %d2; @%p1 add.u32 %r7, %r7, 1000; "
                            "isspacep.shared::cluster %p1, %d2; @!%p1 add.u32 %r7, %r7, 2000; getctarank.u64 %r8, "
                            "%d2; mad.lo.u32 %r7, %r8, 10000, %r7; mapa.u64 %d3, %d2, %r0; setp.ne.u64 %p1, %d1, "
                            "%d3; @%p1 add.u32 %r7, %r7, 4000; isspacep.shared %p1, %d1; @!%p1 add.u32 %r7, %r7, "
                            "5000;\n" SYNC STORE END,
         2);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[i], (1 - i / 32) * 10100 + i % 32);
}

/* The address of a variable is handed on as it is, through the first block's memory. */
TEST(addresses_of_variables_say_whose_they_are) {
    static machine_case test;
    good(
        &test,
        HEAD(
            "4") " .shared .b32 places[8]; " OWN SYNC
                 " mapa.shared::cluster.u32 %r8, places, 0; mad.lo.u32 %r8, %r0, 4, %r8; mov.u32 %r9, s+8; setp.eq.u32 "
                 "%p1, %t, 0; @%p1 st.shared::cluster.u32 [%r8], %r9;\n" SYNC
                 " mapa.shared::cluster.u32 %r8, places, 0; mad.lo.u32 %r8, %r1, 4, %r8; ld.shared::cluster.u32 %r9, "
                 "[%r8]; ld.shared::cluster.u32 %r7, [%r9+4]; ld.shared.u32 %r10, [s+12]; mad.lo.u32 %r7, %r10, 1000, "
                 "%r7;\n" SYNC STORE END,
        4);
    for (uint32_t b = 0; b < 4; b++) assert_int_equal(test.words[b * 32], (b * 100 + 3) * 1000 + (b + 1) % 4 * 100 + 3);
}

TEST(dynamic_shared_memory_is_reached_as_well) {
    static machine_case test;
    test = (machine_case){
        .grid = 2,
        .cluster = 2,
        .shared_bytes = 256,
        .ptx = PTX
        ".extern .shared .align 16 .b8 more[];\n.visible .entry k(.param .u64 words)\n{\n .reg .pred %p<2>; .reg "
        ".b32 %r<9>; .reg .b64 %d<9>; .shared .b32 own[4];\n ld.param.u64 %d1, [words]; mov.u32 %r1, %tid.x; "
        "mov.u32 %r2, more; mad.lo.u32 %r2, %r1, 4, %r2; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r4, %r3, 100, %r1; "
        "st.shared.u32 [%r2], %r4; mad.lo.u32 %r5, %r3, 32, %r1; mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, "
        "%d2;\n" SYNC " xor.b32 %r3, %r3, 1; mapa.shared::cluster.u32 %r2, %r2, %r3; ld.shared::cluster.u32 %r7, "
        "[%r2]; st.global.u32 [%d1], %r7;\n" SYNC END};
    machine_good(&test);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[i], (1 - i / 32) * 100 + i % 32);
}

TEST(stores_and_atomics_go_to_another_blocks_memory) {
    static machine_case test;
    good(&test,
         HEAD("8") " mov.u32 %r7, 0; st.shared.u32 [%r4], %r7;\n" SYNC
                   " mapa.shared::cluster.u32 %r8, s, 0; atom.shared::cluster.add.u32 %r9, [%r8], 1; "
                   "red.shared::cluster.cluster.add.u32 [%r8+4], %t;\n" SYNC
                   " setp.eq.u32 %p1, %t, 5; @%p1 st.shared::cluster.u32 [%r5], %r0;\n" SYNC
                   " ld.shared.u32 %r7, [%r4];\n" STORE END,
         16);
    for (uint32_t i = 0; i < 16 * 32; i++) {
        const uint32_t rank = i / 32 % 8, lane = i % 32;
        const uint32_t sums = rank == 0 && lane == 0 ? 256 : rank == 0 && lane == 1 ? 8 * 496 : 0;
        assert_int_equal(test.words[i], lane == 5 ? (rank + 7) % 8 : sums);
    }
}

TEST(the_special_registers_tell_places_in_cluster_and_grid) {
    static machine_case test;
    good(&test,
         HEAD("3") " mov.u32 %r10, %clusterid.x; mov.u32 %r11, %nclusterid.x; mov.u32 %r12, %cluster_ctaid.x; mov.u32 "
                   "%r13, %cluster_nctaid.x; mov.pred %p1, %is_explicit_cluster; selp.u32 %r14, 1, 0, %p1;\n"
                   " mad.lo.u32 %r7, %r10, 10, %r11; mad.lo.u32 %r7, %r7, 10, %r12; mad.lo.u32 %r7, %r7, 10, %r13; "
                   "mad.lo.u32 %r7, %r7, 10, %r14; mad.lo.u32 %r7, %r7, 10, %r0; mad.lo.u32 %r7, %r7, 10, %r2;\n" STORE
                       END,
         6);
    for (uint32_t b = 0; b < 6; b++)
        assert_int_equal(test.words[b * 32],
                         (b / 3) * 1000000 + 200000 + (b % 3) * 10000 + 3000 + 100 + (b % 3) * 10 + 3);
}

/* Threads that have exited are not waited for; others go through phases at their own pace. */
TEST(phases_wait_for_those_who_have_not_exited) {
    static machine_case test;
    good(&test,
         HEAD("2") OWN " setp.lt.u32 %p1, %t, 7; @%p1 ret;\n barrier.cluster.arrive; mov.u32 %r7, 0;\nAGAIN: add.u32 "
                       "%r7, %r7, 1; barrier.cluster.wait; barrier.cluster.arrive.relaxed; setp.lt.u32 %p2, %r7, %t; "
                       "@%p2 bra AGAIN;\n" STORE END,
         2);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[i], i % 32 < 7 ? 0 : i % 32);
}

TEST(a_block_alone_is_a_cluster_with_a_barrier) {
    static machine_case test;
    test = (machine_case){
        .block = 64,
        .ptx =
            KERNEL " .shared .b32 s[64]; mov.u32 %r1, s; mad.lo.u32 %r2, %t, 4, %r1; st.shared.u32 [%r2], %t;\n" SYNC
                   " mapa.shared::cluster.u32 %r3, %r2, 0; xor.b32 %r4, %r3, 128; ld.shared::cluster.u32 %r5, [%r4]; "
                   "mul.wide.u32 %d1, %t, 4; add.u64 %d1, %w, %d1; st.global.u32 [%d1], %r5;" END};
    machine_good(&test);
    for (uint32_t i = 0; i < 64; i++) assert_int_equal(test.words[i], i ^ 32);
}

/* ---- races and uninitialised reads ---- */

TEST(accesses_of_two_blocks_with_no_barrier_between_race) {
    fails(HEAD("2") SYNC OWN " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC STORE END, 2, 719,
          "data race in shared memory");
    fails(HEAD("2") SYNC OWN " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC STORE END, 2, 719, " of block (");
    fails(HEAD("2") OWN SYNC " ld.shared::cluster.u32 %r7, [%r5]; st.shared.u32 [%r4], %r7;\n" SYNC STORE END, 2, 719,
          "data race in shared memory");
    fails(HEAD("2") OWN " barrier.cluster.arrive.relaxed.aligned;\n" WAIT
                        " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC END,
          2, 719, "with no barrier between");
    fails(HEAD("4") SYNC " mapa.shared::cluster.u32 %r8, s, 0; st.shared::cluster.u32 [%r8], %r0;\n" SYNC END, 4, 719,
          "wrote it at PTX line");
}

TEST(a_fence_lets_a_relaxed_arrival_release) {
    static machine_case test;
    good(&test,
         HEAD("2") OWN " fence.acq_rel.cluster; barrier.cluster.arrive.relaxed.aligned;\n" WAIT
                       " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC STORE END,
         2);
    assert_int_equal(test.words[33], 1);
}

TEST(what_no_block_wrote_is_undefined_for_all) {
    fails(HEAD("2") SYNC " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC STORE END, 2, 719,
          "was never written by this cluster");
}

/* ---- beginnings and ends ---- */

TEST(a_block_must_be_known_to_have_begun) {
    fails(HEAD("2") " st.shared::cluster.u32 [%r5], %r0;\n" SYNC END, 2, 719, "which may not have begun");
}

TEST(a_block_must_not_end_while_others_use_its_memory) {
    fails(HEAD("2") OWN SYNC " ld.shared::cluster.u32 %r7, [%r5];\n" STORE END, 2, 719, " of block (");
    fails(HEAD("2") OWN SYNC " setp.eq.u32 %p1, %r0, 0; @%p1 ret; mov.u32 %r9, 0;\nL: add.u32 %r9, %r9, 1; setp.lt.u32 "
                             "%p2, %r9, 100000; @%p2 bra L; ld.shared::cluster.u32 %r7, [%r5];\n" STORE END,
          2, 719, "of block (0,0,0), which has exited");
    fails(HEAD("2") OWN SYNC " setp.eq.u32 %p1, %r0, 0; @%p1 bra END; ld.shared::cluster.u32 %r7, [%r5]; ret;\nEND: "
                             "mov.u32 %r9, 0;\nL: add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 100000; @%p2 bra L;" END,
          2, 719, "the block ends, and thread (31,0,0) of block (1,0,0) uses its shared memory at PTX line");
}

/* ---- addresses ---- */

TEST(wrong_addresses_are_told) {
    fails(HEAD("2") OWN SYNC " ld.shared.u32 %r7, [%r5];\n" SYNC END, 2, 719, "only .shared::cluster");
    fails(HEAD("2") OWN SYNC " ld.shared::cluster.u32 %r7, [%r5+4096];\n" SYNC END, 2, 719,
          "past the end of shared memory");
    fails(HEAD("2") OWN SYNC " ld.shared::cluster.u32 %r7, [%r5+2];\n" SYNC END, 2, 716, "must be aligned to 4");
    fails(HEAD("2") " mapa.shared::cluster.u32 %r8, s, 2;" END, 2, 719, "rank 2 in a cluster of 2 blocks");
    fails(HEAD("2") " mapa.u64 %d2, %w, 1;" END, 2, 719, "is not in shared memory");
}

/* ---- the barrier ---- */

TEST(arrivals_and_waits_take_turns) {
    fails(HEAD("2") ARRIVE ARRIVE WAIT END, 2, 719, "has arrived at the cluster's barrier before and not waited since");
    fails(HEAD("2") WAIT END, 2, 719, "waits at the cluster's barrier and has not arrived");
    fails(HEAD("2") SYNC WAIT END, 2, 719, "waits at the cluster's barrier and has not arrived");
}

TEST(who_does_not_come_is_told) {
    fails(HEAD("2") " setp.eq.u32 %p1, %r0, 1; @%p1 bra.uni OTHER;\n" SYNC
                    " ret;\nOTHER: setp.lt.u32 %p2, %t, 3; @%p2 bra "
                    "THREE; barrier.cluster.arrive; barrier.cluster.wait; bar.sync 0; ret;\nTHREE: barrier.sync 1, "
                    "64;" END,
          2, 719, "barrier 1 has 3 of 64 threads");
    fails(HEAD("2") " setp.ne.u32 %p1, %r0, 1; setp.ge.u32 %p2, %t, 3; or.pred %p1, %p1, %p2; @%p1 "
                    "barrier.cluster.arrive; "
                    "barrier.cluster.wait;" END,
          2, 719, "has not arrived");
    fails(HEAD("2") " setp.eq.u32 %p1, %r0, 1; @%p1 bra.uni L;\n" SYNC SYNC " ret;\nL: " SYNC " mov.u32 %r9, 0;\n"
                    "M: ld.volatile.global.u32 %r8, [%w]; setp.eq.u32 %p2, %r8, 0; @%p2 bra M;" END,
          2, 702, "no progress");
}

RUN_TESTS(NULL, NULL)
