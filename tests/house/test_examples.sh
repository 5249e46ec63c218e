#!/usr/bin/env bash
# Builds every program of tools/examples with the installed library, as its first comment says, runs it, and compares
# what it prints with that comment. "Run:" lines are the arguments of its runs, in a folder of their own.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=${JR_TEST_BUILD:?}
make_work
version=$(awk '/define JR_VERSION_(MAJOR|MINOR|PATCH)/ {v = v s $3; s = "."} END {print v}' include/jitreduce/types.h)
export PKG_CONFIG_PATH=$work/home/lib/pkgconfig JITREDUCE_LIBRARY=$work/home/lib/libjitreduce.so JITREDUCE=$work/home/bin/jitreduce
export JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache}
# They take the device "auto", which is a GPU where there is one: for the simulator its driver must not be found.
if [ "${JITREDUCE_DEVICE:-sim}" = sim ]; then export JITREDUCE_DRIVER=$work/none; fi

sanitize=
for kind in address undefined thread; do
    if [[ $(readelf -d "$build/libjitreduce.so") =~ lib${kind:0:1}[a-z]*san\.so ]]; then sanitize=-fsanitize=$kind; fi
done

# The lines of the first comment after "Prints:", and the arguments of "Run:" lines.
promised() { awk '/Prints:$/ {on = 1; next} on && (/^ \*\/$/ || /^"""$/ || !/^( \* |\/\/ |[^ #])/ || /^#/) {exit} on {sub(/^( \* |\/\/ )/, ""); print}' "$1"; }
runs() { sed -n 's/^ \* Run: //p' "$1" | grep . || echo; }

build_c() { # FILE
    # shellcheck disable=SC2046  # pkg-config's words are separate arguments
    gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Werror "$1" \
        $(pkg-config --cflags --libs jitreduce) $sanitize -o "$work/program"
}
# What is printed, but for the log's warning that "auto" means the simulator here, which is no output of the program's own.
run() { # COMMAND FILE
    local arguments
    mkdir -p "$work/run" && cd "$work/run" || return
    runs "$2" | while read -r arguments; do
        # shellcheck disable=SC2086  # several words
        env -u JITREDUCE_SIM -u LD_LIBRARY_PATH "${1}" $arguments 2>&1 | sed '/^the PTX simulator is used, because there is no GPU/d'
    done
    cd "$OLDPWD" && rm -rf "$work/run"
}
run_python() { env -u JITREDUCE_SIM -u LD_LIBRARY_PATH /usr/bin/python3 "$1" 2>&1; }

check "the library is installed" env prefix="$work/home" bindir="$work/home/bin" libdir="$work/home/lib" \
    includedir="$work/home/include" DESTDIR= version="$version" tools/dev/install.sh install "$build"
for file in tools/examples/*.c; do
    check "$file builds" build_c "$file"
    check "$file says what it prints" test -n "$(promised "$file")"
    same "$file prints what it says" "$(promised "$file")" "$(run "$work/program" "$PWD/$file")"
done
for file in tools/examples/*.py; do
    if [ -n "$sanitize" ]; then
        skip "$file" "Python is not built with a sanitizer"
    elif ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
        skip "$file" "there is no NumPy (make deps installs it)"
    else
        same "$file prints what it says" "$(promised "$file")" "$(run_python "$file")"
    fi
done
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
file=tools/examples/runtime_program.cu
if ! [ -x "$nvcc" ]; then
    skip "$file" "there is no nvcc to build it with"
else
    check "$file builds" "$nvcc" -I"$work/home/include" "$file" -o "$work/program" -L"$work/home/lib" -ljitreduce \
        -Xlinker --allow-shlib-undefined -Xlinker -rpath -Xlinker "$work/home/lib"
    if [ "${JITREDUCE_DEVICE:-sim}" = sim ]; then
        skip "$file" "it was built; the CUDA runtime needs a real driver, and this is the simulator"
    else
        same "$file prints what it says" "$(promised "$file")" "$(run "$work/program" "$PWD/$file")"
    fi
fi
for file in tools/examples/*.c tools/examples/*.cu tools/examples/*.py; do
    check "README.md of the examples has ${file##*/}" grep -q "\`${file##*/}\`" tools/examples/README.md
done
finish
