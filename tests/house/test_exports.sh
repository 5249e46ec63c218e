#!/usr/bin/env bash
# Holds the built libraries against their lists: exported symbols, prefixes of global names, libraries they need.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=${JR_TEST_BUILD:?}

exported() { nm -D --defined-only "$1" | awk '$2 != "A" {sub(/@.*/, "", $3); print $3}' | grep -v '^__\(odr_\)\?asan' | LC_ALL=C sort; }
needed() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE "$2"; }
foreign() { nm -g --defined-only "$1" | awk 'NF == 3 {print $3}' | grep -vE "$2|^__(odr_)?asan"; }
none() { test -z "$1" || { echo "$1" && false; }; }

system='^(libc|libm|libdl|libpthread|libmd|ld-linux-x86-64|libgcc_s|libasan|libubsan|libtsan)\.so'
same "libjitreduce.so exports what the headers declare" \
    "$(tools/dev/exports.sh list jitreduce)" "$(exported "$build/libjitreduce.so")"
same "libjrsim.so exports the driver functions of its seam" \
    "$(tools/dev/exports.sh list jrsim)" "$(exported "$build/libjrsim.so" | grep -v '^jrsim_')"
check "libjitreduce.a defines only jr_ names" none "$(foreign "$build/libjitreduce.a" '^jr_')"
check "libjitreduce.so needs no CUDA library" none "$(needed "$build/libjitreduce.so" "$system")"
check "libjrsim.so needs no CUDA library" none "$(needed "$build/libjrsim.so" "$system")"
check "the command needs no CUDA library" none "$(needed "$build/jitreduce" "$system|^lib(jitreduce|z|zstd)\.so")"
same "libjitreduce.so has its soname" libjitreduce.so.0 \
    "$(readelf -d "$build/libjitreduce.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')"
finish
