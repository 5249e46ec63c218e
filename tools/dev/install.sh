#!/usr/bin/env bash
# Installs the products of a build, or removes exactly what it installs.
# usage: prefix= bindir= libdir= includedir= DESTDIR= version= install.sh install|uninstall BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
action=$1 build=$2
: "${prefix:?}" "${bindir:?}" "${libdir:?}" "${includedir:?}" "${version:?}"
root=${DESTDIR:-}
soname=libjitreduce.so.${version%%.*}

# put MODE SOURCE TARGET; link NAME TARGET: the one list of what is installed, walked by both actions.
put() {
    if [ "$action" = install ]; then install -D -m "$1" "$2" "$root$3"; else rm -f "$root$3"; fi
}
link() {
    if [ "$action" = install ]; then ln -sf "$1" "$root$2"; else rm -f "$root$2"; fi
}

pc=$(mktemp)
trap 'rm -f "$pc"' EXIT
sed "s|@prefix@|$prefix|; s|@libdir@|$libdir|; s|@includedir@|$includedir|; s|@version@|$version|" \
    tools/dev/jitreduce.pc.in >"$pc"

for header in include/jitreduce.h include/jitreduce/*.h; do
    put 644 "$header" "$includedir/${header#include/}"
done
put 644 "$build/libjitreduce.a" "$libdir/libjitreduce.a"
put 755 "$build/libjitreduce.so.$version" "$libdir/libjitreduce.so.$version"
link "libjitreduce.so.$version" "$libdir/$soname"
link "$soname" "$libdir/libjitreduce.so"
put 755 "$build/libjrsim.so" "$libdir/libjrsim.so"
put 755 "$build/jitreduce" "$bindir/jitreduce"
put 644 "$pc" "$libdir/pkgconfig/jitreduce.pc"

if [ "$action" = uninstall ] && [ -d "$root$includedir/jitreduce" ]; then
    rmdir --ignore-fail-on-non-empty "$root$includedir/jitreduce"
fi
# So that programs find the library at once; a package builder (DESTDIR) and an ordinary user have no say in that cache.
if [ -z "$root" ] && [ "$(id -u)" = 0 ]; then /sbin/ldconfig; fi
