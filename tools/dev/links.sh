#!/usr/bin/env bash
# Makes the stable paths in the build folder, and links NVRTC next to the library if `make deps` installed it. usage:
# links.sh BUILD_ROOT BUILD_FOLDER_NAME MODE; only a release build gets the stable paths.
#   JR_STABLE_PATHS=no   they stay as they are: the build is not the one that its user works with (make deb)
set -euo pipefail
root=$1 name=$2 mode=$3
here=$(cd "$(dirname "$0")/../.." && pwd)

mkdir -p "$root/$name"
for library in "$here"/.deps/nvrtc/lib/python*/site-packages/nvidia/*/lib/libnvrtc{,-builtins}.so.*; do
    if [ -e "$library" ]; then ln -sfn "$library" "$root/$name/$(basename "$library")"; fi
done
if [ "$mode" = release ] && [ "${JR_STABLE_PATHS:-yes}" = yes ]; then
    ln -sfn "$name" "$root/current"
    for product in jitreduce libjitreduce.a libjitreduce.so libjitreduce.so.0 libjrsim.so; do
        if [ -e "$root/$name/$product" ]; then ln -sfn "$name/$product" "$root/$product"; fi
    done
fi
