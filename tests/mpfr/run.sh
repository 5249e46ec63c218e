#!/usr/bin/env bash
# MPFR as the second judge of exact sums: a program that is linked with it, where it is installed.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
make_work
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}
cases=120 # of each of 8 pairs of operators and types, or of 16
if whole; then cases=5000; fi

if ! echo '#include <mpfr.h>' | "${CC:-gcc}" -E -xc - >/dev/null 2>&1; then
    skip "exact sums against MPFR" "there is no mpfr.h (make deps installs libmpfr-dev)"
    finish
    exit
fi
if sanitized "$build/libjitreduce.so"; then
    skip "exact sums against MPFR" "the judge is linked with the library's archive, which is of a sanitizer here"
    finish
    exit
fi
check "the judge compiles" "${CC:-gcc}" -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Iinclude -Isrc -Itests tests/mpfr/judge.c \
    tests/support/oracle/exact_{cases,number}.c tests/support/fixtures/{open_context,held}.c "$build/obj/libparts.a" -lcmocka -lmpfr -lgmp -lmd -ldl -lpthread -lm \
    -o "$work/judge"
"$work/judge" "$cases" >"$work/out" 2>&1
code=$?
check "exact sums are those of MPFR" [ "$code" = 0 ]
if [ "$code" != 0 ]; then head -n 20 "$work/out"; fi
finish
