#!/usr/bin/env bash
# Walks the command through every failing allocation, file call, library call, lock, path and new thread, and through every driver
# call with every error: it ends with an exit code of its own, with the right output or with a reason, leaves no
# half-written file, and the run after it works.
# usage: walk.sh BUILD_FOLDER
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=$(cd "$1" && pwd) source=$PWD
command=$build/tests/faults/command
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export JITREDUCE_SIM=$build/libjrsim.so JITREDUCE_DEVICE=sim JITREDUCE_CACHE_DIR=$scratch/cache JITREDUCE_WISDOM=
export JR_FAIL_USED=$scratch/used
seq 1 40 >numbers.txt
printf 'a,1\nb,2\nc,3\n' >table.csv

# Each a line of arguments. None writes its results over what it reads.
commands=(
    "numbers.txt --op min,max,mean"
    "table.csv --column 2 --op sum"
    "--iota 12 --segments 3 --op sum"
    "scan --iota 9 --op max --output results.npy"
    "--iota 100 --map x*x --where x>3 --op sum --stats --json"
    "doctor"
)
passed=0 failed=0

# report RULE ARGUMENTS WHY: reports a step of a walk that went wrong.
report() {
    failed=$((failed + 1))
    echo "failed: $1 in 'jitreduce $2': $3"
    head -3 "$scratch/err"
}

# step RULE ARGUMENTS: runs the command under a rule; returns whether its end is a proper one.
step() {
    local rule=$1 arguments=$2 code=0
    # shellcheck disable=SC2086  # a line of arguments
    timeout 60 "$command" $arguments >out 2>err </dev/null || code=$?
    if [ "$code" -gt 3 ]; then
        report "$rule" "$arguments" "exit code $code"
    elif [ "$code" = 0 ] && [[ $arguments != doctor* && $arguments != *--stats* ]] && ! cmp -s out right; then
        report "$rule" "$arguments" "exit code 0, and another output than without a failure"
    elif [ "$code" = 0 ] && [[ $arguments == *results.npy* ]] && ! cmp -s results.npy right.npy; then
        report "$rule" "$arguments" "exit code 0, and another file than without a failure"
    elif [ "$code" != 0 ] && ! [ -s err ]; then
        report "$rule" "$arguments" "exit code $code without a reason"
    elif [ -n "$(find . -name '.jitreduce-tmp-*' -print -quit)" ]; then
        report "$rule" "$arguments" "a temporary file stays behind"
        find . -name '.jitreduce-tmp-*' -delete
    else
        passed=$((passed + 1))
    fi
}

# settle ARGUMENTS: the run after, without a failure, is right.
settle() {
    # shellcheck disable=SC2086
    if ! "$command" $1 >out 2>err </dev/null || { [[ $1 != doctor* && $1 != *--stats* ]] && ! cmp -s out right; }; then
        report "nothing" "$1" "the run after the failures is not right"
    fi
}

# walk_calls KIND ARGUMENTS: the first, second, ... call fails, until there are no more. EMPTY=1: with an empty cache.
walk_calls() {
    local n
    for ((n = 1; n <= 5000; n++)); do
        if [ "${EMPTY:-0}" = 1 ]; then rm -rf cache; fi
        rm -f used
        JR_FAIL_NTH=$1:$n step "$1:$n" "$2"
        if [ ! -L used ]; then break; fi
    done
    settle "$2"
}

# walk_driver ARGUMENTS: every driver function that the command calls, its first two calls, with every error.
walk_driver() {
    local name nth error
    while read -r name; do
        for nth in 1 2; do
            for error in 1 2 3 100 200 201 209 304 700 702 719 801 999; do
                JRSIM_FAIL=$name:$nth:$error step "$name:$nth:$error" "$1"
            done
        done
    done < <(sed -n 's/^ *XX([A-Z]*, *\(cu[A-Za-z0-9_]*\).*/\1/p' "$source/src/loader/cuda_abi.h")
    settle "$1"
}

for arguments in "${commands[@]}"; do
    # shellcheck disable=SC2086
    "$command" $arguments >right 2>err </dev/null || { cat err && exit 1; }
    if [ -e results.npy ]; then cp results.npy right.npy; fi
    for kind in memory files library threads locks paths; do walk_calls "$kind" "$arguments"; done
    echo "walked: $arguments"
done
arguments=${commands[0]}
# shellcheck disable=SC2086
"$command" $arguments >right 2>/dev/null </dev/null
for kind in files threads locks paths; do EMPTY=1 walk_calls "$kind" "$arguments"; done
for kind in files locks paths; do JITREDUCE_PACK_RECORD=$scratch/used.jrpack EMPTY=1 walk_calls "$kind" "$arguments"; done
"$command" pack used.jrpack >out 2>err || report "any" "pack used.jrpack" "the recorded pack cannot be read"
walk_driver "$arguments"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
