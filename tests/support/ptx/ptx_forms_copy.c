/* Asynchronous copies, mbarriers, and loads with hints: what arrives, by every road. */
#include "ptx_forms.h"

/* This thread's 8 or 16 bytes of source 0. */
#define OWN_SOURCE(bytes) "ld.param.u64 %e0, [p0]; mul.wide.u32 %e1, %t, " bytes "; add.s64 %e0, %e0, %e1; "
#define KEEP              " ld.shared.v2.b64 {%e2, %e3}, [%room]; st.global.v2.b64 [%memory], {%e2, %e3};"
#define CLEAR             "mov.u64 %e2, 0; st.shared.v2.b64 [%room], {%e2, %e2}; "

#define COPY(form, operands)                                                                                           \
    FORM_BODY("cp.async." form operands, "b64", "T T",                                                                 \
              CLEAR OWN_SOURCE("8") "cp.async." form " [%room], [%e0], " operands "; cp.async.wait_all;" KEEP)

/* ---- an mbarrier, with a limit for waiting so that a mistake does not hang: %x has the outcome ---- */

#define MBARRIER(count)                                                                                                \
    ".shared .align 8 .b64 bar; setp.eq.u32 %k0, %t, 0; @%k0 mbarrier.init.shared::cta.b64 [bar], " count              \
    "; @%k0 fence.proxy.async; bar.sync 0; "
#define EXPECT(bytes) "@%k0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], " bytes "; "
#define WAIT(form, phase)                                                                                              \
    "mov.u32 %r7, 0;\nWAIT: mbarrier." form ".shared::cta.b64 %k7, [bar], " phase                                      \
    "; add.u32 %r7, %r7, 1; setp.gt.u32 %k6, %r7, 999999; or.pred %k6, %k6, %k7; @!%k6 bra WAIT; selp.u32 %x, 7, 99, " \
    "%k7; "

#define BULK(space, bytes, hint, policy)                                                                               \
    FORM_BODY("cp.async.bulk." space ".global" hint " " bytes, "b64", "T T",                                           \
              MBARRIER("1") CLEAR "mov.u64 %e7, 0; fence.proxy.async.shared::cta; bar.sync 0; " EXPECT(                \
                  bytes) "ld.param.u64 %e0, [p0]; @%k0 cp.async.bulk." space                                           \
                         ".global.mbarrier::complete_tx::bytes" hint " [rooms], [%e0], " bytes ", [bar]" policy        \
                         "; " WAIT("try_wait.parity", "0") KEEP)

/* Shared memory goes out to the results' scratch, of which every other 16 bytes are results. */
#define BULK_OUT(wait)                                                                                                 \
    FORM_BODY("cp.async.bulk.global.shared::cta " wait, "b64", "T T T",                                                \
              "st.shared.v2.b64 [%room], {%a0, %a1}; fence.proxy.async.shared::cta; cp.async.bulk.global.shared::cta." \
              "bulk_group [%memory], [%room], 16; cp.async.bulk.commit_group; cp.async.bulk." wait " 0;")

#define HINTED(form, operands)                                                                                         \
    FORM_BODY("ld." form, "b64", "T T",                                                                                \
              "createpolicy.fractional.L2::evict_first.b64 %e5, 1.0; " OWN_SOURCE("8") "ld." form                      \
                                                                                       ".b64 %d, [%e0]" operands ";")

const form_row form_copy[] = {
    COPY("ca.shared.global", "4"),
    COPY("ca.shared.global", "8"),
    COPY("ca.shared::cta.global.L2::128B", "8"),
    COPY("ca.shared.global", "8, 5"),
    COPY("ca.shared.global", "8, 0"),
    FORM_BODY("cp.async.ca.shared.global src", "b64", "T T b32",
              CLEAR OWN_SOURCE("8") "and.b32 %r0, %a1, 7; cp.async.ca.shared.global [%room], [%e0], 8, %r0; "
                                    "cp.async.wait_all;" KEEP),
    FORM_BODY("cp.async.ca.shared.global ignore", "b64", "T T pred",
              CLEAR OWN_SOURCE("8") "cp.async.ca.shared.global [%room], [%e0], 8, %q1; cp.async.wait_all;" KEEP),
    FORM_BODY("cp.async.cg.shared.global 16", "b64", "T T",
              CLEAR "and.b32 %r0, %t, 511; ld.param.u64 %e0, [p0]; mul.wide.u32 %e1, %r0, 16; add.s64 %e0, %e0, %e1; "
                    "cp.async.cg.shared.global [%room], [%e0], 16; cp.async.commit_group; cp.async.wait_group 0;" KEEP),
    FORM_BODY("cp.async.wait_group 1", "b64", "T T",
              CLEAR OWN_SOURCE("8") "cp.async.ca.shared.global [%room], [%e0], 8; cp.async.commit_group; "
                                    "cp.async.ca.shared.global [%room+8], [%e0], 4; cp.async.commit_group; "
                                    "cp.async.wait_group 1; ld.shared.b64 %d, [%room]; cp.async.wait_all;" KEEP),
    FORM_BODY("cp.async.mbarrier.arrive.noinc", "b64", "T T",
              MBARRIER("1024") CLEAR OWN_SOURCE("8") "cp.async.ca.shared.global [%room], [%e0], 8; "
                                                     "cp.async.mbarrier.arrive.noinc.shared.b64 [bar]; " WAIT(
                                                         "try_wait.parity", "0") KEEP),
    BULK("shared::cluster", "8192", "", ""),
    BULK("shared::cta", "8192", "", ""),
    BULK("shared::cluster", "16", "", ""),
    BULK("shared::cluster", "4112", ".L2::cache_hint", ", %e7"),
    BULK_OUT("wait_group"),
    BULK_OUT("wait_group.read"),
    FORM_BODY("mbarrier.arrive mbarrier.test_wait", "b64", "T T",
              MBARRIER("1024") "mbarrier.arrive.shared::cta.b64 %e6, [bar]; " WAIT(
                  "test_wait", "%e6") "mbarrier.test_wait.parity.shared::cta.b64 %k1, [bar], 1; selp.u32 %r0, 1, 0, "
                                      "%k1; cvt.u64.u32 %d, %r0;"),
    FORM_BODY("mbarrier.pending_count", "b64", "T T",
              MBARRIER("7") "@!%k0 bra DONE; mbarrier.arrive.noComplete.release.cta.shared::cta.b64 %e5, [bar], 3; "
                            "mbarrier.arrive.shared::cta.b64 %e6, [bar]; mbarrier.pending_count.b64 %r0, %e5; "
                            "mbarrier.pending_count.b64 %x, %e6; cvt.u64.u32 %d, %r0;\nDONE:"),
    FORM_BODY(
        "mbarrier.arrive_drop", "b64", "T T",
        MBARRIER("3") "@!%k0 bra DONE; mbarrier.arrive_drop.shared::cta.b64 %e5, [bar]; "
                      "mbarrier.arrive.shared::cta.b64 %e6, [bar], 2; mbarrier.test_wait.shared::cta.b64 %k1, [bar], "
                      "%e6; mbarrier.arrive.shared::cta.b64 %e6, [bar], 2; mbarrier.test_wait.shared::cta.b64 %k2, "
                      "[bar], %e6; selp.u32 %r0, 1, 0, %k1; selp.u32 %x, 1, 0, %k2; cvt.u64.u32 %d, %r0;\nDONE:"),
    HINTED("global.L1::no_allocate.L2::128B", ""),
    HINTED("global.nc.L1::evict_last.L2::cache_hint", ", %e5"),
    HINTED("global.L2::256B", ""),
    FORM_BODY("ld.global.nc.v2.L2::cache_hint", "b32", "T T",
              "createpolicy.fractional.L2::evict_last.b64 %e5, 0.5; " OWN_SOURCE(
                  "8") "ld.global.nc.L1::no_allocate.L2::cache_hint.v2.b32 {%d, %x}, [%e0], %e5; "
                       "st.global.L2::cache_hint.b32 "
                       "[%memory], %d, %e5;"),
};
const size_t form_copy_count = sizeof form_copy / sizeof *form_copy;
