#!/usr/bin/env bash
# What cuda-gdb, compute-sanitizer and ncu find of kernels that were compiled from strings with JITREDUCE_DEBUG. They need
# a GPU; a tool that is missing, or may not use the GPU, is skipped with its reason.
# cache: own
set -uo pipefail
passed=0 failed=0 skipped=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
jitreduce=$JR_TEST_BUILD/jitreduce

if [ "$JITREDUCE_DEVICE" = sim ]; then
    echo "skipped debuggers: they look at a GPU, and this is the simulator"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

find_tool() {
    command -v "$1" || ls -1 /usr/local/cuda/bin/"$1" 2>/dev/null
}

# looks NAME FILE PATTERN: passes where the tool's output has the pattern.
looks() {
    if grep -qE -- "$3" "$2"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed $1: no line has '$3':"
        sed 's/^/    /' "$2" | tail -n 40
    fi
}

skip() {
    echo "skipped $1: $2"
    skipped=$((skipped + 1))
}

cat >"$work/fill.cu" <<'SOURCE'
extern "C" __global__ void fill(int *out) {
    const int number = blockIdx.x * blockDim.x + threadIdx.x;
    out[number] = number * 3;
}
SOURCE
run=("$jitreduce" run "$work/fill.cu" --grid 2 --block 32)

if tool=$(find_tool cuda-gdb); then
    JITREDUCE_DEBUG=full timeout 60 "$tool" -batch -ex 'set breakpoint pending on' -ex 'break fill.cu:3' -ex run -ex list \
        -ex 'print number' --args "${run[@]}" --arg out:i32:64 >"$work/gdb.log" 2>&1 </dev/null
    if grep -qiE 'initialization error|debugger.*(not supported|already attached|in use)|Failed to initialize' "$work/gdb.log" && ! grep -q 'fill.cu:3' "$work/gdb.log"; then
        skip cuda-gdb "$(grep -iE 'error|fail|support' "$work/gdb.log" | head -n 1)"
    else
        looks 'cuda-gdb stops at the line' "$work/gdb.log" 'Breakpoint 1, fill.* at .*sources/.*fill\.cu:3'
        looks 'cuda-gdb shows the source' "$work/gdb.log" 'out\[number\] = number \* 3'
        # shellcheck disable=SC2016  # gdb's $1
        looks 'cuda-gdb knows the variable' "$work/gdb.log" '^\$1 = [0-9]+$'
    fi
else
    skip cuda-gdb 'it is not installed'
fi

if tool=$(find_tool compute-sanitizer); then
    JITREDUCE_DEBUG=lines timeout 60 "$tool" "${run[@]}" --arg out:i32:8 >"$work/sanitizer.log" 2>&1
    looks 'compute-sanitizer names file and line' "$work/sanitizer.log" 'fill\(int ?\*\).*in fill\.cu:3|fill.*fill\.cu:3'
else
    skip compute-sanitizer 'it is not installed'
fi

if tool=$(find_tool ncu); then
    seq 1000 | JITREDUCE_DEBUG=lines timeout 60 "$tool" --nvtx --print-details all --section LaunchStats "$jitreduce" --op sum --type f32 >"$work/ncu.log" 2>&1
    if grep -q ERR_NVGPUCTRPERM "$work/ncu.log"; then
        skip ncu 'this user may not read performance counters (ERR_NVGPUCTRPERM)'
    else
        looks 'ncu names the reduction' "$work/ncu.log" 'jr_reduce_[a-z_]+_sum_f32_uf[0-9]+_b[0-9]+'
        looks 'ncu shows the range around the launch' "$work/ncu.log" '<[0-9]+,launch jr_reduce_[a-z_]+_sum_f32'
    fi
else
    skip ncu 'it is not installed'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
