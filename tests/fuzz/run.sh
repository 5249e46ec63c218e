#!/usr/bin/env bash
# Gives every fuzz target the files of its corpus (tests/fuzz/corpus/TARGET), in the build of JR_TEST_BUILD.
set -uo pipefail
cd "$(dirname "$0")" || exit 1
passed=0 failed=0
for corpus in corpus/*/; do
    target=$(basename "$corpus")
    if "$JR_TEST_BUILD/tests/fuzz/fuzz_$target" "$corpus"; then
        passed=$((passed + 1))
    else
        echo "failed: fuzz_$target $corpus"
        failed=$((failed + 1))
    fi
done
for target in fuzz_*.c; do
    name=${target%.c}
    if [ ! -d "corpus/${name#fuzz_}" ]; then
        echo "failed: $target has no corpus/${name#fuzz_}"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
