#!/usr/bin/env bash
# Compiles a program of ranks with this machine's mpicc and runs it on the simulator: 2 and 3 ranks of 2 devices.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=${JR_TEST_BUILD:?}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0

ranks() { # RANKS ARGUMENT...
    timeout --kill-after=10 240 mpirun -n "$1" "$work/ranks" "${@:2}" 2>&1
}

if ! command -v mpicc mpirun >/dev/null; then
    skip "groups over MPI" "mpicc or mpirun is missing (apt-get install libopenmpi-dev openmpi-bin)"
elif readelf -d "$build/libjitreduce.so" | grep -qE 'lib(a|ub|t)san\.so'; then
    skip "groups over MPI" "MPI libraries are not made for sanitizers"
else
    check "jitreduce/mpi.h compiles with mpicc" mpicc -std=c11 -Wall -Wextra -Werror -Iinclude tests/mpi/ranks.c \
        -L"$build" -ljitreduce -Wl,-rpath,"$build" -o "$work/ranks"
    same "2 ranks give one value" "2 ranks: sum 801100378, argmax 40027" "$(ranks 2)"
    same "3 ranks give one value" "3 ranks: sum 1802490861, argmax 60041" "$(ranks 3)"
    same "a thread of its own may call MPI" "2 ranks: sum 801100378, argmax 40027" "$(ranks 2 60000)"
fi
finish
