#!/usr/bin/env bash
# Shows the command at work on a real file: the coldest of 1 048 576 hours, and what finding it cost.
# usage: demo.sh BUILD_ROOT
set -euo pipefail
cd "$(dirname "$0")/../.."
file=$1/demo/temperature.npy

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}
echo
echo "$file: 119 years of hourly temperatures, made up, 4 MiB of f32. The coldest hour:"
show "$1/jitreduce" --op min --uf 4 --stats "$file"
echo
echo "The same again: the kernel is in the disk cache now, so nothing is compiled."
show "$1/jitreduce" --op min --uf 4 --stats "$file"
