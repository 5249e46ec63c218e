/* mbarriers of a cluster: arrivals from other blocks, what may not be done to them, and copies to several blocks. */
#include "cluster_kernel.h"

#define TRY          "\n{ .reg .pred %done; W: mbarrier.try_wait.parity.shared::cta.b64 %done, [bar], 0; @!%done bra W; }\n"
#define FIRST(count) " setp.eq.u32 %p1, %t, 0; @%p1 mbarrier.init.shared::cta.b64 [bar], " count ";\n"
#define AT_FIRST     " mapa.shared::cluster.u32 %r8, bar, 0;\n"

/* All threads of all blocks arrive on the first one's mbarrier, having written its memory. */
TEST(arrivals_on_another_blocks_mbarrier_order_what_was_written) {
    static machine_case test;
    for (uint64_t seed = 0; seed < 4; seed++) {
        test = (machine_case){
            .ptx = HEAD("4") FIRST("32") SYNC AT_FIRST
            " mapa.shared::cluster.u32 %r9, %r4, 0; shr.u32 %r10, %t, 3; setp.eq.u32 %p2, %r10, %r0; mov.u32 %r7, 7;\n"
            "@%p2 st.shared::cluster.u32 [%r9], %t;\n"
            "@%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];\n"
            " setp.ne.u32 %p3, %r0, 0; @%p3 bra END;" TRY "ld.shared.u32 %r7, [%r4];\nEND: " SYNC STORE END,
            .grid = 8,
            .seed = seed,
            .resident = 8};
        machine_good(&test);
        for (uint32_t i = 0; i < 8 * 32; i++) assert_int_equal(test.words[i], i / 32 % 4 ? 7 : i % 32);
    }
}

TEST(a_fence_of_mbarriers_makes_them_known_with_a_relaxed_arrival) {
    static machine_case test;
    good(&test,
         HEAD("2") FIRST(
             "2") "@%p1 fence.mbarrier_init.release.cluster;\n barrier.cluster.arrive.relaxed.aligned;\n" WAIT AT_FIRST
                  "@%p1 mbarrier.arrive.shared::cluster.b64 _, [%r8]; setp.ne.u32 %p3, %r0, 0; @%p3 bra END;" TRY
                  "END: " SYNC END,
         2);
    fails(HEAD("2")
              FIRST("2") " barrier.cluster.arrive.relaxed.aligned;\n" WAIT AT_FIRST
                         "@%p1 mbarrier.arrive.shared::cluster.b64 _, [%r8]; setp.ne.u32 %p3, %r0, 0; @%p3 bra END;" TRY
                         "END: " SYNC END,
          2, 719, "initialised it at PTX line");
    fails(HEAD("2") FIRST("2") OWN
          "@%p1 fence.mbarrier_init.release.cluster;\n barrier.cluster.arrive.relaxed.aligned;\n" WAIT
          " ld.shared::cluster.u32 %r7, [%r5];\n" SYNC END,
          2, 719, "wrote it at PTX line");
}

TEST(other_blocks_mbarriers_take_nothing_but_arrivals) {
    fails(HEAD("2") FIRST("1") SYNC
          " mapa.shared::cluster.u32 %r8, bar, %r1; cvt.u64.u32 %d1, %r8; cvta.shared.u64 %d1, %d1; "
          "@%p1 mbarrier.inval.b64 [%d1];\n" SYNC END,
          2, 719, "where others only arrive");
    fails(HEAD("2") SYNC
          " mapa.shared::cluster.u32 %r8, bar, %r1; mbarrier.arrive.shared::cluster.b64 _, [%r8];\n" SYNC END,
          2, 719, "no mbarrier was initialised");
    fails(HEAD("2") FIRST("1") SYNC
          " mapa.shared::cluster.u32 %r8, bar, %r1; ld.shared::cluster.u32 %r7, [%r8];\n" SYNC END,
          2, 719, "is in an mbarrier, which thread (0,0,0) of block (");
    machine_refuses(HEAD("2") " mbarrier.arrive.shared::cluster.b64 %d1, [bar];" END, "the destination of");
    machine_refuses(HEAD("2") " mbarrier.init.shared::cluster.b64 [bar], 1;" END,
                    "works on mbarriers of its own block only");
    machine_refuses(HEAD("2") " mbarrier.test_wait.shared::cluster.b64 %p1, [bar], %d1;" END,
                    "mbarriers of its own block only");
}

/* One block's thread brings 128 bytes into the memory of those of a mask; each waits for its own. */
TEST(a_bulk_copy_goes_to_several_blocks) {
    static machine_case test;
    test = (machine_case){
        .ptx = HEAD("4")
            FIRST("1") "@%p1 fence.mbarrier_init.release.cluster; @%p1 fence.proxy.async; @%p1 "
                       "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n" SYNC
                       " setp.eq.u32 %p2, %r0, 2; and.pred %p2, %p2, %p1; mov.b16 %h1, 13; add.u64 %d3, %w, 8192;\n"
                       "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [s], "
                       "[%d3], 128, [bar], "
                       "%h1;\n mov.u32 %r7, 9; setp.eq.u32 %p3, %r0, 1; @%p3 bra.uni END;" TRY
                       "ld.shared.u32 %r7, [%r4];\nEND: " SYNC STORE END,
        .grid = 4};
    for (uint32_t i = 0; i < 32; i++) test.words[2048 + i] = 1000 + i;
    machine_good(&test);
    for (uint32_t i = 0; i < 128; i++) assert_int_equal(test.words[i], i / 32 == 1 ? 9 : 1000 + i % 32);
}

/* Each block's threads send their ranks to the next one, whose mbarrier counts the bytes. */
TEST(values_are_sent_with_their_bytes) {
    static machine_case test;
    for (uint64_t seed = 0; seed < 4; seed++) {
        test = (machine_case){
            .ptx = HEAD("4")
                FIRST("1") "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n" SYNC
                           " mapa.shared::cluster.u32 %r8, bar, %r1; mad.lo.u32 %r9, %r0, 100, %t;\n"
                           " st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %r9, [%r8];\n" TRY
                           "ld.shared.u32 %r7, [%r4];\n" SYNC STORE END,
            .grid = 8,
            .seed = seed,
            .resident = 8};
        machine_good(&test);
        for (uint32_t i = 0; i < 256; i++) assert_int_equal(test.words[i], (i / 32 + 3) % 4 * 100 + i % 32);
    }
    good(&test,
         HEAD("2") FIRST(
             "1") "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 16;\n" SYNC
                  " mapa.shared::cluster.u32 %r8, bar, %r1; mapa.shared::cluster.u32 %r9, s, %r1; cvt.u64.u32 %d1, "
                  "%r0; mov.u64 %d2, "
                  "77;\n@%p1 st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b64 [%r9+16], {%d1, %d2}, "
                  "[%r8];\n" TRY
                  "ld.shared.u32 %r7, [s+16]; ld.shared.u32 %r10, [s+24]; mad.lo.u32 %r7, %r7, 100, %r10;\n" SYNC STORE
                      END,
         2);
    assert_int_equal(test.words[5], 177);
    assert_int_equal(test.words[37], 77);
}

TEST(what_is_sent_is_awaited_where_it_goes) {
    fails(HEAD("2") FIRST("1") "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 128;\n" SYNC
                               " mapa.shared::cluster.u32 %r8, bar, %r1; "
                               "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %t, "
                               "[%r8];\n" SYNC " ld.shared.u32 %r7, [%r4];\n" STORE END,
          2, 719, "writes it and has not been waited for");
    fails(HEAD("2") FIRST("1") SYNC
          " st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %t, [bar];\n" SYNC END,
          2, 719, "and its mbarrier is in that");
    machine_lacks(HEAD("2") " st.async.shared::cluster.mbarrier::complete_tx::bytes.b16 [s], %h1, [bar];" END,
                  "st.async");
}

RUN_TESTS(NULL, NULL)
