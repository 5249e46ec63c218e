#!/usr/bin/env bash
# Scans in whatever order blocks and warps come: JRSIM_SEED shuffles them. On a GPU it changes nothing.
set -uo pipefail
# shellcheck source=tests/house/say.sh
. "$JR_TEST_SOURCE/tests/house/say.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache}
unset JRSIM_SEED

# Sums that round differently in any other order; more tiles than blocks, blocks that come to an end without a tile.
awk 'BEGIN {srand(7); for (i = 0; i < 60000; i++) print (rand() - 0.4) * 2 ^ int(40 * rand() - 20)}' >"$work/data"
scan() { "$JR_TEST_BUILD/jitreduce" scan --output "$work/$1.npy" "${@:2}" "$work/data"; }
# Of totals of 8 bytes more are looked at together. Results wider than elements lie elsewhere: a block of wave then has the
# tile of its number, and folds those whose blocks do not begin.
forms=("single_pass --block 64 --uf 1" "single_pass --block 256 --grid 3" "bulk_copy --block 128 --uf 1" "bulk_copy --block 256 --uf 3 --grid 7"
    "bulk_copy" "wave --block 96 --uf 1" "wave" "bulk_copy --block 128 --uf 1 --type f64" "bulk_copy --type f64 --grid 5"
    "wave --block 96 --uf 1 --result f64" "wave --block 160 --uf 2 --result f64 --combine a+b --identity 0")
turn=0
for form in "${forms[@]}"; do
    seeds=(1 2 3 4 5 6 7 8)
    if ! whole; then seeds=($((1 + turn++ % 8))); fi
    type="--type f32"
    if [[ $form == *--type* ]]; then type=; fi
    # shellcheck disable=SC2086  # words
    check "$form in order" scan first $type --algorithm $form
    for seed in "${seeds[@]}"; do
        # shellcheck disable=SC2086
        JRSIM_SEED=$seed check "$form with seed $seed" scan other $type --algorithm $form
        check "$form has the bits of seed 0 with seed $seed" cmp "$work/first.npy" "$work/other.npy"
    done
done
finish
