#!/usr/bin/env bash
# Unpacks the tarball in a fresh folder, away from any checkout, builds it there with warnings as errors, installs it into
# a prefix of its own, and runs a part of the tests.
# usage: [T=words] check_dist.sh TARBALL
set -euo pipefail
tarball=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tar -xf "$tarball" -C "$work"
cd "$work"/jitreduce-*
export GIT_CEILING_DIRECTORIES=$work
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES
make -j"$(nproc)" WERROR=1 prefix="$work/home" install
printf '3 1 2\n' | env -u JITREDUCE_SIM JITREDUCE_DEVICE=sim "$work/home/bin/jitreduce" --op min --type i32 - | grep -qx 1
make -j"$(nproc)" WERROR=1 check T="${T:-test_install test_text test_spec test_streams test_examples}"
