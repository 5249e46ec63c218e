#!/usr/bin/env bash
# Runs tests under each of several NVRTC versions, fetched as wheels by pip into FOLDER and kept there.
# usage: [NVRTC_TABLE=sample] check_nvrtc.sh BUILD FOLDER VERSIONS TEST...
#   VERSIONS           12.0, 13.0, ..., newest, separated by blanks
#   NVRTC_TABLE=sample test_nvrtc_table takes one combination of 29, not all
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$1 folder=$2 versions=$3
shift 3

# Prints the path of a version's library, which is fetched if need be.
library_of() {
    local version=$1 package=nvidia-cuda-nvrtc place=$folder/$1
    case $version in
    newest) ;;
    12.*) package="nvidia-cuda-nvrtc-cu12==$version.*" ;;
    *) package="nvidia-cuda-nvrtc==$version.*" ;;
    esac
    if [ ! -e "$place/complete" ]; then
        rm -rf "$place"
        python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --target "$place" \
            "$package" >&2
        touch "$place/complete"
    fi
    find "$(realpath "$place")" -name 'libnvrtc.so.*' | head -n 1
}

failed=()
for version in $versions; do
    library=$(library_of "$version") || { failed+=("$version") && continue; }
    echo "NVRTC $version: $library"
    JITREDUCE_NVRTC=$library NVRTC_TABLE=${NVRTC_TABLE-whole} tools/dev/run_tests.sh sim "$build" 2 7200 "$@" ||
        failed+=("$version")
done
if [ ${#failed[@]} != 0 ]; then echo "failed: ${failed[*]}" && exit 1; fi
echo "all passed: $versions"
