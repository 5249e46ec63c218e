#!/usr/bin/env bash
# Runs `jitreduce bench` and then each benchmark program: on a GPU, or on the simulator if no GPU is found. After a
# failure it runs the others, and fails at the end. usage: [JITREDUCE_DEVICE=...] bench.sh BUILD_FOLDER [PROGRAM...]
set -uo pipefail
build=$1
shift
export JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}

if [ -z "${JITREDUCE_DEVICE:-}" ] && ! "$build/jitreduce" info --device cuda >/dev/null 2>&1; then
    export JITREDUCE_DEVICE=sim
    echo "no GPU can be used here (build/jitreduce doctor says why): what follows are times of the simulator, which say"
    echo "nothing of a GPU; a program that needs one says so"
fi
failed=()
"$build/jitreduce" bench || failed+=("jitreduce bench")
for program in "$@"; do
    printf '\n== %s\n' "$(basename "$program")"
    "$program" || failed+=("$(basename "$program")")
done
for program in "${failed[@]}"; do echo "bench: $program failed" >&2; done
[ ${#failed[@]} = 0 ]
