#!/usr/bin/env bash
# Ranks of every MPI that is here (Open MPI, MPICH), oversubscribed on the simulator: a program that its mpicc compiles with
# jitreduce/mpi.h, and `jitreduce --mpi` with the plug-in that it compiles.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd)
make_work
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl_base_warn_component_unused=0
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=$build/libjrsim.so JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache}
export PATH=$build:$PATH

# run RANKS COMMAND...: standard output, then the command's own words on standard error.
run() {
    local ranks=$1
    shift
    timeout --kill-after=10 1200 "$mpirun" -n "$ranks" "$@" 2>"$work/err"
    grep '^jitreduce: ' "$work/err"
}

# The same on each of RANKS, but for the last one, which has settings of its own.
run_but_last() { # RANKS SETTING COMMAND...
    local ranks=$1 setting=$2
    shift 2
    timeout --kill-after=10 1200 "$mpirun" -n $((ranks - 1)) "$@" : -n 1 env "$setting" "$@" >"$work/out" 2>"$work/err"
    echo "= $?" >>"$work/out"
    cat "$work/out"
    grep '^jitreduce: ' "$work/err"
}

programs() {
    check "$mpi: jitreduce/mpi.h compiles" "$mpicc" -std=c11 -Wall -Wextra -Werror -Iinclude tests/mpi/ranks.c \
        -L"$build" -ljitreduce -Wl,-rpath,"$build" -o "$work/ranks"
    same "$mpi: 2 ranks give one value" "2 ranks: sum 801100378, argmax 40027" "$(run 2 "$work/ranks")"
    same "$mpi: 3 ranks give one value" "3 ranks: sum 1802490861, argmax 60041" "$(run 3 "$work/ranks")"
    same "$mpi: a thread of its own may call MPI" "2 ranks: sum 801100378, argmax 40027" "$(run 2 "$work/ranks" 60000)"
}

# The program that README shows, of 1e6 elements a rank.
readme_program() {
    awk '/^```c mpi$/ {inside = 1; next} /^```$/ {inside = 0} inside' include/manual/group.md >"$work/readme.c"
    check "$mpi: the manual's program is there" [ -s "$work/readme.c" ]
    check "$mpi: the manual's program compiles" "$mpicc" -std=c11 -Wall -Wextra -Werror -Iinclude "$work/readme.c" -L"$build" \
        -ljitreduce -Wl,-rpath,"$build" -o "$work/readme"
    same "$mpi: the manual's program" "the greatest is element 2999999" "$(run 3 "$work/readme" sim)"
}

# Each rank reads its share, the first one prints; values and files are those of one process.
commands() {
    local ops='min,max,sum,argmax,mean' forms=(--json --op 'min,max,count' --where 'x % 7 == 3')
    for ranks in 1 2 3 4; do
        chosen 2 || continue
        same "$mpi: $ranks ranks, a file" "$(jitreduce --op $ops --csv "$work/big.npy")" \
            "$(run $ranks jitreduce --mpi --op $ops --csv "$work/big.npy")"
        run $ranks jitreduce scan --mpi --op max -o "$work/shares.npy" "$work/big.npy"
        check "$mpi: $ranks ranks write one file of a scan" cmp "$work/whole.npy" "$work/shares.npy"
    done
    same "$mpi: ranks of two devices" "$(jitreduce --op $ops "$work/big.npy")" \
        "$(run 3 jitreduce --mpi --device sim:2 --op $ops "$work/big.npy")"
    same "$mpi: several files, some of whose elements are left out" \
        "$(jitreduce --op $ops --offset 99990 --count 77 "$work/big.npy" "$work/whole.npy")" \
        "$(run 4 jitreduce --mpi --op $ops --offset 99990 --count 77 "$work/big.npy" "$work/whole.npy")"
    same "$mpi: two inputs" "$(jitreduce --map 'x * (i - y)' "$work/big.npy" -y "$work/whole.npy")" \
        "$(run 3 jitreduce --mpi --map 'x * (i - y)' "$work/big.npy" -y "$work/whole.npy")"
    same "$mpi: fewer elements than ranks" "2 2" "$(run 4 jitreduce --mpi --iota 3 --op argmax,count_nonzero | sort | xargs)"
    same "$mpi: a text" 1275 "$(run 4 jitreduce --mpi "$work/text")"
    same "$mpi: json tells of all" '"count": 100003 "devices": 4 "ranks": 4' \
        "$(run 4 jitreduce --mpi "${forms[@]}" "$work/big.npy" | grep -oE '"(count|devices|ranks)": [0-9]+' | xargs -d '\n')"
    run 3 jitreduce --mpi --op min -o "$work/min.json" "$work/big.npy"
    same "$mpi: a file of one result" 0 "$(grep -o '"value": [0-9]*' "$work/min.json" | cut -d' ' -f2)"
}

# Segments and axes: whole ones are dealt out; of an array whose first axis is reduced away each rank has its rows. Values,
# lines and files are those of one process.
divided() {
    local forms=(
        "--segments 77 --op sum,argmax" "--segments 97020 --op argmax,max" "--shape 20,99,49 --axis 0 --op sum,argmax"
        "--shape 20,99,49 --axis 1 --csv --op min,count_nonzero" "--shape 20,99,49 --axis 0,2 --op argmin,max,count"
        "--shape 20,99,49 --axis 1,2 --where x>500" "--shape 2,48510 --axis 0 --keepdims" "--shape 20,99,49 --axis 0,1,2"
        "--segments $work/offsets.npy --op sum,argmax" "--shape 3,0,2 --count 0 --axis 1")
    for form in "${forms[@]}"; do
        # shellcheck disable=SC2086 # options, parted by blanks
        for ranks in 2 3 4; do
            chosen 4 || continue
            same "$mpi: $ranks ranks: $form" "$(jitreduce $form "$work/cut.npy" 2>&1 | md5sum)" \
                "$(run $ranks jitreduce --mpi $form "$work/cut.npy" | md5sum)"
        done
    done
    same "$mpi: -y beside an array" "$(jitreduce --shape 20,99,49 --axis 0 --map 'x * y' "$work/cut.npy" -y "$work/cut.npy" | md5sum)" \
        "$(run 3 jitreduce --mpi --device sim:2 --shape 20,99,49 --axis 0 --map 'x * y' "$work/cut.npy" -y "$work/cut.npy" | md5sum)"
    jitreduce --shape 5,19404 --axis 0 -o "$work/one.npy" "$work/cut.npy"
    run 3 jitreduce --mpi --device sim:2 --shape 5,19404 --axis 0 -o "$work/ranks.npy" "$work/cut.npy"
    check "$mpi: one file of results, of fewer rows than devices" cmp "$work/one.npy" "$work/ranks.npy"
    same "$mpi: json of segments" '"count": 97020 "devices": 2 "ranks": 2' \
        "$(run 2 jitreduce --mpi --segments 4851 --json "$work/cut.npy" | grep -oE '"(count|devices|ranks)": [0-9]+' | xargs -d '\n')"
    same "$mpi: what does not divide is told once" "jitreduce: 97020 elements do not divide into segments of 1000: --segments FILE takes segments of any length" \
        "$(run 3 jitreduce --mpi --segments 1000 "$work/cut.npy")"
    for form in "--segments 77" "--shape 20,99,49 --axis 0"; do
        # shellcheck disable=SC2086 # options, parted by blanks
        told=$(run_but_last 3 "JRSIM_FAIL=cuMemAlloc" jitreduce --mpi $form "$work/cut.npy")
        same "$mpi: no memory on one rank: $form: it is told once, without a value" 2 "$(wc -l <<<"$told")"
        check "$mpi: $form: by which rank" grep -q '^jitreduce: rank 2: .*CUDA_ERROR_UNKNOWN' <<<"$told"
    done
}

# One line, whichever rank it was.
failures() {
    same "$mpi: a file that is missing" "jitreduce: no.npy: cannot be opened: No such file or directory" \
        "$(run 3 jitreduce --mpi no.npy)"
    same "$mpi: nothing to take the least of" "jitreduce: min of no elements has no value: --initial V gives it one" \
        "$(run 3 jitreduce --mpi --op min --iota 0)"
    same "$mpi: an unknown operator is told once" 1 "$(run 3 jitreduce --mpi --op nope | wc -l)"
    same "$mpi: standard input" "jitreduce: --mpi: each rank reads its share: name a file, not standard input" \
        "$(run 2 jitreduce --mpi)"
    same "$mpi: a scan without a file" "jitreduce: --mpi: each rank writes its share of a scan: give --output FILE.npy" \
        "$(run 2 jitreduce scan --mpi "$work/big.npy")"
    same "$mpi: scans of segments" "jitreduce: --mpi: scans of axes and segments go through one device of one process" \
        "$(run 2 jitreduce scan --mpi --segments 2 -o "$work/none.npy" "$work/big.npy")"
    same "$mpi: keys" "jitreduce: --mpi: keys go through one device of one process" \
        "$(run 2 jitreduce --mpi --keys "$work/big.npy" "$work/big.npy")"
    for call in cuDevicePrimaryCtxRetain cuMemAlloc cuLaunchKernel; do
        told=$(run_but_last 3 "JRSIM_FAIL=$call" jitreduce --mpi --op sum "$work/big.npy")
        same "$mpi: $call fails on one rank: it is told once, without a value" 2 "$(wc -l <<<"$told")"
        check "$mpi: $call, by which rank" grep -q '^jitreduce: rank 2: .*CUDA_ERROR_UNKNOWN' <<<"$told"
    done
    told=$(run_but_last 3 JRSIM_FAIL=cuLaunchKernel jitreduce scan --mpi -o "$work/none.npy" "$work/big.npy")
    check "$mpi: a scan fails on one rank" grep -q "^jitreduce: rank 2: .*CUDA_ERROR" <<<"$told"
    check "$mpi: and leaves no file" [ -z "$(find "$work" -name 'none.npy*' -o -name '*jitreduce-tmp*')" ]
    told=$(run 2 jitreduce scan --mpi -o "$work/nowhere/x.npy" "$work/big.npy")
    check "$mpi: a folder that is missing" grep -q "nowhere/x.npy: cannot be written: No such file" <<<"$told"
}

both=$(command -v mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich | sed -n 4p)
all_of() { # MPI MPICC MPIRUN
    mpi=$1 mpicc=$2 mpirun=$3
    if ! command -v "$mpicc" "$mpirun" >/dev/null; then
        skip "$mpi" "$mpicc or $mpirun is missing ($4)"
        return
    fi
    check "$mpi: the plug-in compiles" "$mpicc" -std=c11 -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden -Iinclude \
        -Itools/jitreduce tools/mpi/plugin.c -o "$work/$mpi.so"
    export JITREDUCE_MPI=$work/$mpi.so
    programs
    readme_program
    commands
    # Where both are there a sample has these of one each.
    if whole || [ -z "$both" ] || [ "$mpi" = OpenMPI ]; then divided; fi
    if whole || [ -z "$both" ] || [ "$mpi" = MPICH ]; then failures; fi
}

if readelf -d "$build/libjitreduce.so" | grep -qE 'lib(a|ub|t)san\.so'; then
    skip "groups over MPI" "MPI libraries are not made for sanitizers"
else
    seq 50 >"$work/text"
    jitreduce scan --iota 100003 --type i32 --map 'x % 1009' --op max -o "$work/big.npy"
    jitreduce scan --op max -o "$work/whole.npy" "$work/big.npy"
    jitreduce scan --iota 97020 --type i32 --map 'x % 1009' --op max -o "$work/cut.npy"
    { seq 0 7 50000; seq 50000 999 97000; } | jitreduce scan --op max --type i64 -o "$work/offsets.npy"
    check "without its plug-in --mpi says what builds it" grep -q "no.so.*'make mpi' builds the plug-in" \
        <(JITREDUCE_MPI=$work/no.so jitreduce --mpi --iota 3 2>&1)
    check "what is no plug-in is refused" grep -q "has version 0 of the plug-in" \
        <(JITREDUCE_MPI=$build/libjrsim.so jitreduce --mpi --iota 3 2>&1)
    if command -v mpicc.openmpi mpicc.mpich >/dev/null || ! command -v mpicc >/dev/null; then
        all_of OpenMPI mpicc.openmpi mpirun.openmpi "apt-get install libopenmpi-dev openmpi-bin"
        all_of MPICH mpicc.mpich mpirun.mpich "apt-get install libmpich-dev mpich"
    else
        all_of MPI mpicc mpirun "of the one MPI that is here"
    fi
    if [ -e "$build/libjitreduce_mpi.so" ]; then
        same "the plug-in of make mpi is found beside the command" 45 \
            "$(env -u JITREDUCE_MPI mpirun -n 2 jitreduce --mpi --iota 10 2>&1)"
    else
        skip "make mpi" "there is no mpicc"
    fi
fi
finish
