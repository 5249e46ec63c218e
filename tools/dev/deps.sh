#!/usr/bin/env bash
# Finds out what is missing on this machine and installs it (Debian packages as root, NVRTC into ./.deps as anyone).
# usage: deps.sh            install what building, testing and running need
#        deps.sh --demo     only what building and running need
#        deps.sh --check    as the first; says nothing when all is there, and an ordinary user needs less
#        deps.sh --lint     as the first, and what `make lint` needs
#        deps.sh --docs     as the first, and what `make docs` needs
#        deps.sh --look build|test   install nothing; fail and name the command when something is missing
set -euo pipefail
export DEBIAN_FRONTEND=noninteractive
cd "$(dirname "$0")/../.."

missing=()
# need KIND THING PACKAGE WHY: notes PACKAGE as missing when there is no such command, header or module.
need() {
    local kind=$1 thing=$2 package=$3 why=$4
    case $kind in
    command) command -v "$thing" >/dev/null && return ;;
    header) echo "#include <$thing>" | "${CC:-gcc}" -include stdarg.h -include stddef.h -include setjmp.h \
        -include stdint.h -fsyntax-only -x c - 2>/dev/null && return ;;
    python-header) tools/dev/python_headers.sh >/dev/null && return ;;
    module) python3 -c "import $thing" 2>/dev/null && return ;;
    debian-module) /usr/bin/python3 -c "import $thing" 2>/dev/null && return ;;
    esac
    missing+=("$package")
    echo "missing: $package ($why)"
}

need_for_build() {
    need command gcc gcc "the C compiler"
    need header stdio.h libc6-dev "the C library's headers"
    need command ld binutils "the linker"
    need header sha2.h libmd-dev "SHA-256 for the disk cache's keys"
    need header zlib.h zlib1g-dev "the command reads .gz and .npz"
    need header zstd.h libzstd-dev "the command reads .zst"
}

need_for_test() {
    need header cmocka.h libcmocka-dev "the test framework"
    need command g++ g++ "the public headers are tested as C++, too"
    need command pkg-config pkg-config "the installed library is tested through it"
    need command flock util-linux "the test runner keeps outputs apart with it"
}

# Without them single tests are skipped: they are installed, but nothing that builds asks for them.
need_for_judge() {
    need python-header Python.h python3-dev "the Python package in tools/python"
    need command abidiff abigail-tools "the test that no public struct has moved"
    need debian-module numpy python3-numpy "the judge of every operator in tests/judge"
    need debian-module scipy python3-scipy "the judge of logsumexp"
    need command mpicc libopenmpi-dev "groups over MPI, compiled as a caller would"
    need command mpirun openmpi-bin "groups over MPI, run on the simulator"
    need command mpicc.mpich libmpich-dev "the same over another MPI"
    need command mpirun.mpich mpich "the same over another MPI"
    need header mpfr.h libmpfr-dev "the second judge of exact sums in tests/mpfr"
    need command cmake cmake "the installed package is tested through it, too"
    need command tmux tmux "the terminal of tests/house/test_terminal.sh"
    need command mandoc mandoc "the test that the manual pages have no faults"
    need command zsh zsh "the test of its completion"
    need command fish fish "the test of its completion"
    need command gnuplot gnuplot-nox "the picture of \`jitreduce bench --plot\`"
}

need_for_lint() {
    need command clang clang "a second compiler's warnings"
    need command clang-format clang-format "layout"
    need command clang-tidy clang-tidy "static analysis"
    need command cppcheck cppcheck "static analysis"
    need command shellcheck shellcheck "static analysis of scripts"
    need command ctags universal-ctags "lengths of functions"
}

# An NVRTC that jitreduce would find by itself.
find_nvrtc() {
    local candidate
    /sbin/ldconfig -p 2>/dev/null | grep -o '/.*/libnvrtc\.so\.1[0-9]*$' | head -n 1 | grep . && return
    for candidate in "${JITREDUCE_NVRTC:-}" "${CUDA_HOME:-/nowhere}"/lib*/libnvrtc.so.* \
        "${CUDA_PATH:-/nowhere}"/lib*/libnvrtc.so.* /usr/local/cuda*/lib64/libnvrtc.so.* \
        "$PWD"/.deps/nvrtc/lib/python*/site-packages/nvidia/*/lib/libnvrtc.so.*; do
        if [ -f "$candidate" ]; then echo "$candidate" && return; fi
    done
    return 1
}

# Shows how far apt-get is, of lines "pmstatus:PACKAGE:PERCENT:WHAT" and "dlstatus:NUMBER:PERCENT:WHAT": on a terminal one line
# that changes, else a line every quarter.
show_progress() {
    local kind percent shown=-1 name
    while IFS=: read -r kind _ percent _; do
        case $kind in dlstatus) name=downloaded ;; pmstatus) name=installed ;; *) continue ;; esac
        percent=${percent%%.*}
        if [ -t 1 ]; then
            printf '\r    %s %3d %%  ' "$name" "$percent"
        elif [ "$name$((percent / 25))" != "$shown" ]; then
            shown=$name$((percent / 25))
            echo "    $name $percent %"
        fi
    done
    if [ -t 1 ]; then echo; fi
}

# Ends, unless only tests miss something: those are skipped.
give_up() {
    if [ "$level" != --check ] || [ ${#required[@]} != 0 ]; then exit 1; fi
    echo "tests that need what is missing are skipped"
}

# How many packages there are in all, and their sizes.
print_sizes() {
    echo "installing ${#missing[@]} packages and what they need: $(grep -c '^Inst ' "$log") in all," \
        "$(apt-get --assume-no install --no-install-recommends "${missing[@]}" 2>/dev/null |
            sed -n 's/^Need to get \(.*\) of archives\./\1 to download/p
                s/^After this operation, \(.*\) of additional.*/\1 on disk/p' | paste -sd, | sed 's/,/, /')"
}

install_packages() {
    if [ ${#missing[@]} = 0 ]; then return; fi
    local line="apt-get update && apt-get install -y --no-install-recommends ${missing[*]}" sudo=
    if ! command -v apt-get >/dev/null; then
        echo "this system has no apt-get: install what those packages hold under the names it has here, then try again"
        give_up
    elif [ "$(id -u)" != 0 ]; then
        if command -v sudo >/dev/null; then sudo="sudo "; fi
        echo "run this one line ${sudo:-as root }, then try again:"
        echo "    ${sudo}sh -c '$line'"
        give_up
    elif ! { apt-get -q update && apt-get -s install --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
        tail -n 5 "$log" && give_up
    else
        print_sizes
        apt-get -q -y -o APT::Status-Fd=3 install --no-install-recommends "${missing[@]}" 3>&1 >"$log" 2>&1 |
            show_progress || { tail -n 20 "$log" && give_up; }
    fi
    missing=()
}

# The wheel, because Debian has no free NVRTC and a whole CUDA toolkit takes gigabytes.
install_nvrtc() {
    echo "missing: NVRTC, the run-time compiler of CUDA; installing the wheel nvidia-cuda-nvrtc into .deps:"
    echo "    some 60 MB to download, 150 MB on disk"
    rm -rf .deps/nvrtc
    mkdir -p .deps
    { python3 -m venv .deps/nvrtc && .deps/nvrtc/bin/pip install -q nvidia-cuda-nvrtc; } >"$log" 2>&1 ||
        { tail -n 20 "$log" && rm -rf .deps/nvrtc && exit 1; }
}

# Packages of tables and arrays that the tests of the Python package take where they are; without them those tests are skipped.
python_tables=${PYTHON_TABLES:-.deps/tables/bin/python}
install_tables() {
    echo "missing: pandas, polars, pyarrow, xarray, ml_dtypes, mypy (tests/python); installing them into .deps:"
    echo "    some 150 MB to download, 620 MB on disk"
    mkdir -p .deps
    { /usr/bin/python3 -m venv .deps/tables &&
        .deps/tables/bin/pip install -q --retries 1 numpy pandas polars pyarrow xarray ml_dtypes mypy; } >"$log" 2>&1 ||
        { rm -rf .deps/tables && echo "they cannot be had: those tests are skipped"; }
}

log=$(mktemp) level=${1:-} required=()
trap 'rm -f "$log"' EXIT
case "${1:-}" in
--look)
    "need_for_$2"
    if [ ${#missing[@]} != 0 ]; then
        echo "\`make deps\` as root installs it, or:"
        echo "    apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
        exit 1
    fi
    ;;
--demo | --check | "" | --lint | --docs)
    need_for_build
    if [ "$level" != --demo ]; then
        need_for_test
        required=("${missing[@]}")
        need_for_judge
    fi
    if [[ " $* " == *" --lint "* ]]; then need_for_lint; fi
    if [[ " $* " == *" --docs "* ]]; then need command doxygen doxygen "pages of the public headers"; fi
    if ! find_nvrtc >/dev/null; then
        need command python3 python3 "fetches the NVRTC wheel"
        need module ensurepip python3-venv "fetches the NVRTC wheel"
    fi
    install_packages
    find_nvrtc >/dev/null || install_nvrtc
    if [ "$level" != --demo ] && [ ! -e "$python_tables" ]; then install_tables; fi
    if [ "$level" != --check ]; then echo "everything is there; NVRTC: $(find_nvrtc)"; fi
    ;;
*) sed -n '3,8s/^# *//p' "$0" >&2 && exit 2 ;;
esac
