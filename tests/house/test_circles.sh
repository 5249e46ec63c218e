#!/usr/bin/env bash
# Builds small trees with and without circles of files: circles.sh names the files of each circle, and nothing else.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work
mkdir -p "$work/tools/dev" "$work/src/a" "$work/src/b" "$work/build/obj/src/a" "$work/build/obj/src/b"
cp tools/dev/circles.sh "$work/tools/dev"

# expect_circles EXPECTED NAME [FOLDER...]: compiles the tree, and compares the circles that are found
expect_circles() {
    local expected=$1 name=$2 source object
    shift 2
    for source in "$work"/src/*/*.c; do
        object=$work/build/obj/${source#"$work/"}
        ${CC:-gcc} -fPIC -I"$work/src" -c -o "${object%.c}.o" "$source"
    done
    same "$name" "$expected" "$("$work/tools/dev/circles.sh" build "${@:-src}")"
}
file() { cat >"$work/src/$1"; }

file a/one.h <<<'void one(void);'
file a/one.c <<<'#include "a/one.h"
#include "b/two.h"
void one(void) { two(); }'
file b/two.h <<<'void two(void);'
file b/two.c <<<'#include "two.h"
void two(void) {}'
expect_circles "" "a line of calls"

file b/two.c <<<'#include "two.h"
void one(void);
void two(void) { one(); }'
expect_circles "a circle: src/a/one src/b/two" "two files that call each other"
expect_circles "" "a circle that leaves the folder is not the folder's" src/a

file b/two.c <<<'#include "two.h"
void one(void);
int which;
void (*const rows[])(void) = {one};
void two(void) { rows[which](); }'
expect_circles "" "a row that names its caller"

file b/two.h <<<'#include "a/one.h"
void two(void);'
expect_circles "a circle: src/a/one src/b/two" "an include against a call"
finish
