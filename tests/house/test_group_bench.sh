#!/usr/bin/env bash
# group_bench on the simulator: every work on two devices, with a line for each measure and contestant; a peer takes its turn, and a wrong sum is reported.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so JRSIM_DEVICES=2
make_work

# A peer that takes half of the count of each device for the sum: FACTOR makes it wrong.
cat >"$work/peer.c" <<'C'
#include <stddef.h>
#include "bench/group_peer.h"
static double devices;
static void *open(int count, const int *ordinals, uint64_t most) { devices = count; return ordinals && most ? &devices : NULL; }
static int value(void *h, const float *const *in, uint64_t count, float *out) { *out = (float)(FACTOR * devices * (double)count / 2); return !h || !in; }
static int run(void *h, const float *const *in, uint64_t count) { return !h || !in || !count; }
static int wait(void *h) { return !h; }
static int fold(void *h, const float *const *in, float *const *out, uint64_t count) { return !h || !in || !out || !count; }
static void close(void *h) { (void)h; }
const group_peer *group_peer_get(void) {
    static const group_peer made = {GROUP_PEER_VERSION, "Half", open, value, run, wait, fold, close};
    return &made;
}
C
make_peer() { # FACTOR
    "${CC:-cc}" -shared -fPIC -Itools/jitreduce -DFACTOR="$1" -o "$work/peer_$1.so" "$work/peer.c"
}
bench() { "$build/bench/group_bench" "$@"; }
rows() { grep -v '^#' | cut -d, -f1-4 | tr '\n' ' '; }

same "a line for each measure and contestant" "devices,elements,measure,contestant \
2,1000,scalar,group 2,1000,scalar,turns 2,1000,scalar,one 2,1000,devices,group 2,1000,devices,turns 2,1000,devices,one \
2,1000,batch,group 2,1000,batch,turns 2,1000,batch,one " \
    "$(bench sum sim:2 2 - 1000 | rows)"
for call in cuDeviceCanAccessPeer cuCtxEnablePeerAccess:2:217 cuCtxEnablePeerAccess; do
    check "right sums where $call fails" env JRSIM_FAIL="$call" "$build/bench/group_bench" sum sim:2 1 - 1000
done
same "by the host where devices do not reach each other" "# way of the all-reduce: 3" \
    "$(JRSIM_FAIL=cuCtxEnablePeerAccess bench sum sim:2 1 - 1000 | grep way)"
check "a peer can be built" make_peer 1
check "and a wrong one" make_peer 3
same "it takes its turn" "2,1024,scalar,Half 2,1024,devices,Half 2,1024,batch,Half " \
    "$(bench sum sim:2 1 "$work/peer_1.so" | rows | grep -o '[^ ]*Half ' | tr -d '\n')"
bench sum sim:2 1 "$work/peer_3.so" >"$work/out" 2>&1
same "a wrong sum ends it" 1 "$?"
check "and is told" grep -q 'the sum of 2048 elements by Half is 3072' "$work/out"
same "a scan by the group, and by one" "devices,elements,measure,contestant \
2,1000,scan,group 2,1000,scan,one 2,40000,scan,group 2,40000,scan,one " "$(bench scan sim:2 2 - 1000 40000 | rows)"
same "ranks, their transport, and one" "devices,elements,measure,contestant \
3,1000,value,group 3,1000,value,allgather 3,1000,value,one " "$(bench ranks:3 sim 2 - 1000 | rows)"
same "a rank that fails ends the others" 1 "$(JITREDUCE_SIM=/nowhere "$build/bench/group_bench" ranks:2 sim 1 >/dev/null 2>&1; echo $?)"
same "arrays, by peers and by the host" "devices,elements,measure,contestant \
2,777,devices,peers 2,777,devices,host 2,777,batch,peers 2,777,batch,host " \
    "$(bench fold sim:2 2 - 777 | rows)"
same "an unknown work is told" "bench: 'what' is not a work: sum, fold, scan or ranks:N" "$(bench what 2>&1)"
for wrong in 10x 0 -5 '' 0x10 99999999999999999999; do
    same "'$wrong' is no count" "bench: '$wrong' is not a whole number of elements from 1 on" \
        "$(bench sum sim:2 1 - "$wrong" 2>&1 >/dev/null | cut -c1-200)"
done
finish
