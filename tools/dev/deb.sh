#!/usr/bin/env bash
# Makes Debian packages of this machine's architecture, and runs the command out of them: libjitreduce0 (the library),
# libjitreduce-dev (headers, static library, pkg-config, CMake), jitreduce (the command, its manual pages and completions),
# jitreduce-doc (the manual, changes, examples), jitreduce-simulator, and, where an mpicc (MPICC) is, jitreduce-mpi (the plug-in of --mpi).
# usage: deb.sh BUILD_ROOT VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$1/deb version=$2
command -v dpkg-deb >/dev/null || { echo "deb: dpkg-deb is missing (apt-get install dpkg)" && exit 1; }
architecture=$(dpkg --print-architecture) lib=usr/lib/$(gcc -print-multiarch)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y include/jitreduce/types.h)}
export SOURCE_DATE_EPOCH
export JR_STABLE_PATHS=no # the build with this prefix is for the packages alone

if command -v "${MPICC:-mpicc}" >/dev/null; then
    make --no-print-directory prefix=/usr libdir="/$lib" mpi
else
    echo "deb: ${MPICC:-mpicc} is missing, and jitreduce-mpi is left out (make deps installs libopenmpi-dev)"
fi
make --no-print-directory prefix=/usr libdir="/$lib" DESTDIR="$work/all" install
find "$work/all/usr/share/man" -type f -exec gzip -9n {} +
mv "$work/all/usr/share/zsh/site-functions" "$work/all/usr/share/zsh/vendor-completions" # Debian's zsh looks there

# depends_of PACKAGE SONAME: the package with the version that its symbols or shlibs file asks for, which is what
# dpkg-shlibdeps would write; where it has none, with the one that is installed here.
depends_of() {
    local package=$1 name=${2%%.so*} version=${2##*.so.} found
    found=$(dpkg-query --control-show "$package" shlibs 2>/dev/null |
        awk -v name="$name" -v version="$version" '$1 == name && $2 == version {sub(/^[^ ]+ [^ ]+ /, ""); print; exit}')
    [ -n "$found" ] || found="${package%%:*} (>= $(dpkg-query -W -f '${Version}' "$package" | sed 's/-[^-]*$//'))"
    echo "$found"
}

# The packages that own the libraries that a file needs, with their versions; without this project's own.
needs() { # FILE
    local soname package
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | while read -r soname; do
        if [[ $soname == libjitreduce* ]]; then continue; fi
        package=$(dpkg -S "*/${lib##*/}/$soname" | sed -n '1s/: .*//p')
        depends_of "$package" "$soname"
    done | LC_ALL=C sort -u | paste -sd, | sed 's/,/, /g'
}

# pack NAME SECTION DEPENDS RECOMMENDS DESCRIPTION PATH...: the paths leave $work/all for a package of their own.
pack() {
    local name=$1 root=$work/$1 section=$2 depends=$3 recommends=$4 description=$5 path
    shift 5
    for path; do
        mkdir -p "$root/$(dirname "$path")"
        mv "$work/all/$path" "$root/$path"
    done
    install -D -m 644 LICENSE "$root/usr/share/doc/$name/copyright"
    mkdir "$root/DEBIAN"
    (cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
    {
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: %s\nPriority: optional\n' "$name" "$version" \
            "$architecture" "$section"
        printf 'Maintainer: The jitreduce developers <jitreduce@localhost>\nInstalled-Size: %s\n' \
            "$(du -sk --apparent-size "$root/usr" | cut -f1)"
        if [ -n "$depends" ]; then printf 'Depends: %s\n' "$depends"; fi
        if [ -n "$recommends" ]; then printf 'Recommends: %s\n' "$recommends"; fi
        if [ "$name" = libjitreduce0 ]; then printf 'Suggests: libnvrtc12, nvidia-cuda-toolkit\n'; fi
        printf 'Description: %s\n' "$description"
        if [ "$name" = libjitreduce0 ] || [ "$name" = jitreduce ]; then printf '%s\n' "$nvrtc"; fi
    } >"$root/DEBIAN/control"
    if [ "$name" = libjitreduce0 ]; then printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"; fi
    find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    dpkg-deb --root-owner-group --build "$root" "$out/${name}_${version}_$architecture.deb" >/dev/null
    echo "$out/${name}_${version}_$architecture.deb"
}

# No package can depend on it: it comes from several places.
nvrtc=' Kernels are compiled by NVRTC (libnvrtc.so and libnvrtc-builtins.so beside
 it, CUDA 12 or 13), which is found where one of these has put it: libnvrtc12 of
 Debian (non-free), cuda-nvrtc-13-0 of NVIDIA, or pip install nvidia-cuda-nvrtc.
 jitreduce doctor shows which one is used.'

rm -rf "$out" && mkdir -p "$out"
library=$work/all/$lib/libjitreduce.so.$version
own="libjitreduce0 (= $version)"
command_needs=$(needs "$work/all/usr/bin/jitreduce") simulator_needs=$(needs "$work/all/$lib/libjrsim.so")
pack libjitreduce0 libs "$(needs "$library")" "" "reductions on GPUs from kernel strings compiled at run time" \
    "$lib/libjitreduce.so.$version" "$lib/libjitreduce.so.${version%%.*}"
pack jitreduce-simulator libs "$simulator_needs" "" "PTX simulator on which jitreduce runs without a GPU" "$lib/libjrsim.so"
rm "$work/all/usr/share/doc/jitreduce/LICENSE" # a package has it as its copyright
pack jitreduce-doc doc "" "" "manual and examples of jitreduce" usr/share/doc/jitreduce
pack jitreduce science "$own, $command_needs" "jitreduce-simulator, jitreduce-doc" "reduces arrays on a GPU from the command line" \
    usr/bin/jitreduce usr/share/man/man1 usr/share/bash-completion usr/share/zsh usr/share/fish
plugin=$lib/libjitreduce_mpi.so
if [ -e "$work/all/$plugin" ]; then
    pack jitreduce-mpi science "jitreduce (= $version), $(needs "$work/all/$plugin")" "" \
        "the ranks of an MPI share the work of the jitreduce command" "$plugin"
fi
pack libjitreduce-dev libdevel "$own, libmd-dev" "jitreduce-doc" "what programs that use jitreduce are built with" \
    usr/include/jitreduce.h usr/include/jitreduce.hpp usr/include/jitreduce "$lib/libjitreduce.a" "$lib/libjitreduce.so" \
    "$lib/pkgconfig/jitreduce.pc" "$lib/cmake/jitreduce"
left=$(find "$work/all" ! -type d)
if [ -n "$left" ]; then echo "deb: no package has $left" && exit 1; fi

for package in "$out"/*.deb; do dpkg-deb --extract "$package" "$work/root"; done
printf '3 1 2\n' | env -u JITREDUCE_SIM -u LD_LIBRARY_PATH JITREDUCE_DEVICE=sim "$work/root/usr/bin/jitreduce" --op min --type i32 - |
    grep -qx 1 || { echo "deb: the packed command does not reduce" && exit 1; }
