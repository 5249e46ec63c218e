#!/usr/bin/env bash
# Writes the tarball of a version: the files of the commit that is checked out, with its time, so that the same commit
# gives the same bytes. A tag v... on that commit must be the version's.
# usage: dist.sh BUILD_ROOT VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$1 version=$2 name=jitreduce-$2

if ! git rev-parse --git-dir >/dev/null 2>&1; then
    echo "dist: this is no checkout: the tarball is made of a commit" && exit 1
fi
left=$(git status --porcelain)
if [ -n "$left" ]; then
    printf 'dist: these files are not as the commit has them (?? : not committed at all): commit first\n%s\n' \
        "$(head -n 20 <<<"$left")"
    exit 1
fi
tags=$(git tag --points-at HEAD 'v*')
if [ -n "$tags" ] && ! grep -qx "v$version" <<<"$tags"; then
    echo "dist: the commit is tagged $tags, and include/jitreduce/types.h says $version: one of them is wrong" && exit 1
fi
mkdir -p "$root"
git archive --format=tar --prefix="$name/" HEAD | xz -9 -T1 >"$root/.$name.$$" && mv "$root/.$name.$$" "$root/$name.tar.xz"
echo "$root/$name.tar.xz"
