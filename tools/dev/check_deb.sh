#!/usr/bin/env bash
# Unpacks the packages of tools/dev/deb.sh into a root of their own, and runs there what their users would: the command on
# the simulator, its manual pages and completions, a program by pkg-config, one by CMake. Nothing is installed.
# usage: check_deb.sh FOLDER_OF_PACKAGES VERSION
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
packages=$1 version=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root lib=usr/lib/$(gcc -print-multiarch)
wanted="jitreduce jitreduce-doc jitreduce-simulator libjitreduce-dev libjitreduce0"

unpack() { dpkg-deb -x "$packages/$1_${version}_$(dpkg --print-architecture).deb" "$root"; }
for package in $wanted; do check "$package can be unpacked" unpack "$package"; done

# A file that two packages have cannot be installed by dpkg.
files() {
    for package in "$packages"/*.deb; do dpkg-deb -c "$package" | awk '$1 !~ /^d/ {print $6}'; done | LC_ALL=C sort | "$@"
}
same "no two packages have the same file" "" "$(files uniq -d)"
depends() { dpkg-deb -f "$packages/$1_${version}_$(dpkg --print-architecture).deb" Depends | tr ',' '\n' | sed 's/^ *//; s/ .*//'; }
is_known() { [[ " $wanted " == *" $1 "* ]] || dpkg -s "$1"; }
for package in $wanted; do
    for other in $(depends "$package"); do check "$package depends on $other, which there is" is_known "$other"; done
done
# Lists dependencies on other projects' libraries that lack a version.
unversioned() {
    for package in $wanted; do
        dpkg-deb -f "$packages/${package}_${version}_$(dpkg --print-architecture).deb" Depends | tr ',' '\n' | sed 's/^ *//' |
            grep -v '(' | grep -vx 'libmd-dev'
    done
}
same "dependencies have versions" "" "$(unversioned)"
check "the library's package says what brings NVRTC" grep -q nvidia-cuda-nvrtc <(dpkg-deb -f "$packages/libjitreduce0_${version}_$(dpkg --print-architecture).deb" Description)

# ---- the command ----
# dpkg would have the linker look there; the private root must be named.
there() { env -u JITREDUCE_SIM JITREDUCE_DEVICE=sim LD_LIBRARY_PATH="$root/$lib" JITREDUCE_CACHE_DIR="$work/cache" "$@"; }
same "the command reduces" 6 "$(printf '1 2 3\n' | there "$root/usr/bin/jitreduce" --op sum -q)"
same "the command says its version" "jitreduce $version" "$(there "$root/usr/bin/jitreduce" --version | head -1 | cut -d' ' -f1,2)"
commands=$(there "$root/usr/bin/jitreduce" --help |
    awk '/^[A-Z]/ {on = /^Commands/} on && /^  [a-z]/ && $1 != "help" && $1 != "version" {print $1}')
lints() { [ -z "$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null)" ]; }
# shellcheck disable=SC2086  # words
for page in jitreduce $(printf 'jitreduce-%s ' $commands); do
    file=$root/usr/share/man/man1/$page.1.gz
    check "$page has a manual page" test -s "$file"
    if command -v man >/dev/null; then
        check "$page's page has no warnings" lints "$file"
    else
        skip "$page's page" "there is no man (make deps installs man-db)"
    fi
done
check "bash reads its completions" bash -n "$root/usr/share/bash-completion/completions/jitreduce"
for shell in zsh fish; do
    file=$root/usr/share/zsh/vendor-completions/_jitreduce
    if [ "$shell" = fish ]; then file=$root/usr/share/fish/vendor_completions.d/jitreduce.fish; fi
    if command -v "$shell" >/dev/null; then
        check "$shell reads its completions" "$shell" -n "$file"
    else
        skip "$shell's completions" "there is no $shell (make deps installs it)"
    fi
done

# ---- the manual ----
doc=$root/usr/share/doc/jitreduce
for page in README.md CHANGES.md manual/scan.md examples/README.md examples/axis.c; do check "$page is in a package" test -s "$doc/$page"; done

# ---- programs ----
tools/dev/readme_example.sh 1 >"$work/main.c"
output=$(tools/dev/readme_example.sh --output 1)
compile() {
    local words
    words=$(PKG_CONFIG_LIBDIR="$root/$lib/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1 \
        PKG_CONFIG_ALLOW_SYSTEM_LIBS=1 pkg-config --cflags --libs jitreduce) || return 1
    # shellcheck disable=SC2086  # pkg-config's words are separate arguments
    gcc -std=c11 -Wall -Wextra -Werror "$work/main.c" $words -o "$work/main"
}
check "a program builds with pkg-config" compile
same "it prints what README says" "$output" "$(there "$work/main" 2>&1)"
if command -v cmake >/dev/null; then
    cat >"$work/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.10)
project(example C)
find_package(jitreduce 0.2 CONFIG REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared jitreduce::jitreduce)
add_executable(static main.c)
target_link_libraries(static jitreduce::static)
END
    check "CMake finds the package" cmake -S "$work" -B "$work/made" -DCMAKE_PREFIX_PATH="$root/usr"
    check "CMake builds programs" cmake --build "$work/made"
    for kind in shared static; do
        same "the $kind one prints what README says" "$output" "$(there env JITREDUCE_SIM="$root/$lib/libjrsim.so" "$work/made/$kind" 2>&1)"
    done
else
    skip "a CMake project" "there is no cmake (make deps installs it)"
fi
finish
