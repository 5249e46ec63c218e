#!/usr/bin/env bash
# Installs the products of a build, or removes exactly what it installs.
# usage: prefix= bindir= libdir= includedir= [docdir=] DESTDIR= version= install.sh install|uninstall BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
action=$1 build=$2
: "${prefix:?}" "${bindir:?}" "${libdir:?}" "${includedir:?}" "${version:?}"
case $prefix in
/*) ;;
*) echo "prefix is '$prefix': give an absolute path, as $PWD/$prefix" >&2 && exit 1 ;;
esac
docdir=${docdir:-$prefix/share/doc/jitreduce}
root=${DESTDIR:-}
soname=libjitreduce.so.${version%%.*}

# put MODE SOURCE TARGET; link NAME TARGET: the one list of what is installed, walked by both actions.
put() {
    if [ "$action" = install ]; then install -D -m "$1" "$2" "$root$3"; else rm -f "$root$3"; fi
}
link() {
    if [ "$action" = install ]; then mkdir -p "$root${2%/*}" && ln -sf "$1" "$root$2"; else rm -f "$root$2"; fi
}

# Programs find a library in a folder that the linker does not search by itself through a path of their own.
# shellcheck disable=SC2016  # pkg-config expands it
case $libdir in
/lib | /lib/* | /lib64 | /usr/lib | /usr/lib/* | /usr/lib64 | /usr/local/lib) rpath= ;;
*) rpath=' -Wl,-rpath,"${libdir}"' ;;
esac

# made TEMPLATE TARGET: puts what a template of tools/dev becomes.
filled=$(mktemp)
trap 'rm -f "$filled"' EXIT
made() {
    sed "s|@prefix@|$prefix|; s|@libdir@|$libdir|; s|@includedir@|$includedir|; s|@version@|$version|; s|@rpath@|$rpath|
        s|@soname@|$soname|; s|@major@|${version%%.*}|; s|@include_from_lib@|$(realpath -m --relative-to="$libdir" "$includedir")|" \
        "tools/dev/$1.in" >"$filled"
    put 644 "$filled" "$2/$1"
}

for header in include/jitreduce.h include/jitreduce.hpp include/jitreduce/*.h include/jitreduce/cpp/*.hpp; do
    put 644 "$header" "$includedir/${header#include/}"
done
put 644 "$build/libjitreduce.a" "$libdir/libjitreduce.a"
put 755 "$build/libjitreduce.so.$version" "$libdir/libjitreduce.so.$version"
link "libjitreduce.so.$version" "$libdir/$soname"
link "$soname" "$libdir/libjitreduce.so"
put 755 "$build/libjrsim.so" "$libdir/libjrsim.so"
put 755 "$build/jitreduce" "$bindir/jitreduce"
plugin=$build/libjitreduce_mpi.so # of make mpi
if [ "$action" = uninstall ] || [ -e "$plugin" ]; then put 755 "$plugin" "$libdir/libjitreduce_mpi.so"; fi
packed=$(dirname "$build")/builtin.jrpack # of make pack
if [ "$action" = uninstall ] || [ -e "$packed" ]; then put 644 "$packed" "$libdir/jitreduce/builtin.jrpack"; fi
# NVRTC of this checkout (`make deps`, `make demo`), for the installed library. A package must not name a checkout.
for nvrtc in "$build"/libnvrtc.so.* "$build"/libnvrtc-builtins.so.*; do
    if [ "$action" = install ] && [ -e "$nvrtc" ] && [ -z "$root" ]; then
        link "$(realpath "$nvrtc")" "$libdir/jitreduce/${nvrtc##*/}"
    fi
done
if [ "$action" = uninstall ]; then rm -f "$root$libdir"/jitreduce/libnvrtc{,-builtins}.so.*; fi
made jitreduce.pc "$libdir/pkgconfig"
made jitreduceConfig.cmake "$libdir/cmake/jitreduce"
made jitreduceConfigVersion.cmake "$libdir/cmake/jitreduce"

# Manual pages and completions: the command prints them itself, so that they are those of this build.
told=$(mktemp)
trap 'rm -f "$filled" "$told"' EXIT
tell() { # TARGET TOPIC...
    local target=$1
    shift
    if [ "$action" = install ]; then "$build/jitreduce" help "$@" >"$told"; fi
    put 644 "$told" "$target"
}
tell "$prefix/share/man/man1/jitreduce.1" man
for topic in reduce scan apply compare bench tune run replay pack trace info doctor expressions operators formats; do
    tell "$prefix/share/man/man1/jitreduce-$topic.1" man "$topic"
done
tell "$prefix/share/bash-completion/completions/jitreduce" bash
tell "$prefix/share/zsh/site-functions/_jitreduce" zsh
tell "$prefix/share/fish/vendor_completions.d/jitreduce.fish" fish

# The documentation: front page, manual, changes, licence, examples.
include_from_doc=$(realpath -m --relative-to="$docdir" "$includedir")
for page in README.md include/CHANGES.md include/manual/*.md tools/examples/README.md; do
    if [ "$action" = install ]; then tools/dev/doc_page.sh "$page" "$include_from_doc" >"$told"; fi
    target=${page#include/}
    put 644 "$told" "$docdir/${target#tools/}"
done
put 644 LICENSE "$docdir/LICENSE"
for example in tools/examples/*.c tools/examples/*.cu tools/examples/*.py; do
    put 644 "$example" "$docdir/examples/${example##*/}"
done

for folder in "$root$includedir/jitreduce/cpp" "$root$includedir/jitreduce" "$root$libdir/cmake/jitreduce" "$root$libdir/jitreduce" "$root$docdir/manual" \
    "$root$docdir/examples" "$root$docdir"; do
    if [ "$action" = uninstall ] && [ -d "$folder" ]; then rmdir --ignore-fail-on-non-empty "$folder"; fi
done
# So that programs find the library at once; a package builder (DESTDIR) and an ordinary user have no say in that cache.
if [ -z "$root" ] && [ "$(id -u)" = 0 ]; then /sbin/ldconfig; fi
