#!/usr/bin/env bash
# Checks layout, rules and every file's faults; silent and 0 when all is clean. Files that passed are remembered by the
# digest of their text and of all headers, so that a second run looks only at what changed.
# usage: [DEEP=1] lint.sh STAMP_FOLDER BUILD_FOLDER
#        lint.sh STAMP_FOLDER --some FILE...
#   DEEP=1   what takes minutes instead: clang's analyzer and cppcheck follow the paths through every function
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stamps=$1

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
    -Wwrite-strings -Wundef -Werror"

# Paths of a function that the analyzer follows: its default of 225000 takes ten times as long for the whole tree.
analyzer="-Xclang -analyzer-config -Xclang max-nodes=15000"

batch=10 # files that one process of each tool looks at: starting one takes longer than a short file

# The include folders of a file, as the Makefile gives them.
includes_of() {
    case $1 in
    tools/jitreduce/*) echo "-Iinclude -Itools/jitreduce" ;;
    tools/mpi/*) echo "-Iinclude -Itools/jitreduce -Itests/headers/stand_in" ;;
    tests/mpi/*) echo "-Iinclude -Itests/headers/stand_in" ;;
    tools/python/*) echo "-Iinclude -isystem $(tools/dev/python_headers.sh)" ;;
    tests/*) echo "-Iinclude -Isrc -Ikernels_src -Itests -Itools/jitreduce" ;;
    tools/bench/*) echo "-Iinclude -Isrc -Ikernels_src -Itools/jitreduce" ;;
    *) echo "-Iinclude -Isrc -Ikernels_src" ;;
    esac
}

# What decides whether a file passes, besides itself: headers, what is asked for.
surroundings() {
    {
        find include src kernels_src tests tools -name '*.h' -print0
        printf '%s\0' .clang-tidy .clang-format tools/dev/lint.sh
    } | LC_ALL=C sort -z | xargs -0 cat | sha256sum
}

# All findings about C files of one folder; status 1 when there is any. clang-tidy reports clang's warnings, too.
lint_c() {
    local includes flags status=0
    includes=$(includes_of "$1")
    flags="-std=c11 -D_GNU_SOURCE $includes"
    if [ "${DEEP:-}" = 1 ]; then
        # cppcheck's look across files takes every address of an unset variable for a read.
        # shellcheck disable=SC2086  # flags are several words
        {
            clang-tidy --quiet --checks='-*,clang-analyzer-core.*,clang-analyzer-deadcode.*,clang-analyzer-unix.*' \
                "$@" -- $flags $analyzer 2>/dev/null || status=1
            cppcheck --quiet --std=c11 -D_GNU_SOURCE -D__x86_64__ --inline-suppr --error-exitcode=1 \
                --enable=warning,portability,performance --suppress=ctuuninitvar $includes "$@" || status=1
        } 2>&1
        return "$status"
    fi
    # shellcheck disable=SC2086
    {
        gcc $flags $warnings -fsyntax-only "$@" || status=1
        clang-format --dry-run -Werror "$@" || status=1
        clang-tidy --quiet "$@" -- $flags $warnings 2>/dev/null || status=1
    } 2>&1
    return "$status"
}

# lint_some FILE...: those that have not passed before; all of one folder and kind. A stamp is named after its file, the
# file's digest and that of the surroundings.
lint_some() {
    local digest file stamp files=() passed=() status=0
    while read -r digest file; do
        stamp=$stamps/${file//\//_}.$digest.${LINT_SURROUNDINGS:0:64}
        if [ ! -e "$stamp" ]; then files+=("$file") && passed+=("$stamp"); fi
    done < <(sha256sum -- "$@")
    if [ ${#files[@]} = 0 ]; then return 0; fi
    case ${files[0]} in
    *.c) lint_c "${files[@]}" ;;
    *) shellcheck -x "${files[@]}" ;;
    esac || status=1
    if [ "$status" = 0 ]; then touch "${passed[@]}"; fi
    return "$status"
}

LINT_SURROUNDINGS=${LINT_SURROUNDINGS:-$(surroundings)}
export LINT_SURROUNDINGS
mkdir -p "$stamps"

if [ "${2:-}" = --some ]; then
    shift 2
    lint_some "$@"
    exit
fi

for tool in clang clang-tidy clang-format cppcheck shellcheck ctags; do
    command -v "$tool" >/dev/null || { echo "lint: $tool is missing; \`make deps LINT=1\` installs it" && exit 1; }
done
status=0
tools/dev/check_rules.sh || status=1
tools/dev/circles.sh "$2" || status=1
tools/dev/words.sh || status=1
find include src kernels_src tests tools \( -name '*.h' -o -name '*.hpp' -o -name '*.cpp' \) -print0 | xargs -0 -r clang-format --dry-run -Werror || status=1
# Batches by folder, so that a batch has the same include folders.
find src tools tests .ci \( -name '*.c' -o -name '*.sh' -o -path .ci/run \) -printf '%h %f\n' | LC_ALL=C sort |
    awk -v batch=$batch '
        {kind = $1 ($2 ~ /\.c$/)}
        kind != before || ++count == batch {if (line != "") print line; line = ""; count = 0}
        {line = line " " $1 "/" $2; before = kind}
        END {if (line != "") print line}' |
    xargs -r -P "$(nproc)" -L 1 "$0" "$stamps" --some || status=1
exit "$status"
