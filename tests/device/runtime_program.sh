#!/usr/bin/env bash
# Builds the CUDA runtime program with nvcc against the built library, and runs it where there is a real GPU.
set -uo pipefail
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
if ! [ -x "$nvcc" ]; then
    echo "skipped runtime_program: there is no nvcc to build it with"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! "$nvcc" -I"$JR_TEST_SOURCE/include" "$JR_TEST_SOURCE/tests/device/runtime_program.cu" -o "$work/program" \
    -L"$JR_TEST_BUILD" -ljitreduce -Xlinker --allow-shlib-undefined -Xlinker -rpath -Xlinker "$JR_TEST_BUILD"; then
    echo "0 passed, 1 failed"
    exit 1
fi
if [ "$JITREDUCE_DEVICE" = sim ]; then
    echo "skipped runtime_program: it was built; the CUDA runtime needs a real driver, and this is the simulator"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
if "$work/program"; then
    echo "1 passed, 0 failed"
else
    echo "0 passed, 1 failed"
    exit 1
fi
