#!/usr/bin/env bash
# Checks layout, rules and every file's faults; silent and 0 when all is clean. Files that passed are remembered by the
# digest of their preprocessed text, so that a second run looks only at what changed.
# usage: lint.sh STAMP_FOLDER
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
stamps=$1

warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wpointer-arith
    -Wwrite-strings -Wundef -Werror"

# Paths of a function that the analyzer follows: its default of 225000 takes ten times as long for the whole tree.
analyzer="-Xclang -analyzer-config -Xclang max-nodes=15000"

# The include folders of a file, as the Makefile gives them.
includes_of() {
    case $1 in
    tools/jitreduce/*) echo "-Iinclude" ;;
    tests/cli/*) echo "-Iinclude -Itools/jitreduce" ;;
    tests/*) echo "-Iinclude -Isrc -Itests" ;;
    tools/bench/*) echo "-Iinclude -Isrc -Itools/jitreduce" ;;
    *) echo "-Iinclude -Isrc" ;;
    esac
}

# Everything that is said about one C file, with status 1 when there is anything.
lint_c() {
    local file=$1 key flags status=0
    flags="-std=c11 -D_GNU_SOURCE $(includes_of "$file")"
    # shellcheck disable=SC2086  # flags are several words
    key=$({ clang $flags -E -C "$file" 2>&1 && cat .clang-tidy .clang-format tools/dev/lint.sh "$file"; } | sha256sum)
    key=$stamps/${key%% *}
    if [ -e "$key" ]; then return; fi
    # shellcheck disable=SC2086,SC2046
    {
        gcc $flags $warnings -O2 -c -o /dev/null "$file" || status=1
        clang $flags $warnings -fsyntax-only "$file" || status=1
        clang-format --dry-run -Werror "$file" || status=1
        clang-tidy --quiet "$file" -- $flags $analyzer 2>/dev/null || status=1
        cppcheck --quiet --std=c11 --inline-suppr --error-exitcode=1 --enable=warning,portability,performance \
            --suppress=missingIncludeSystem --suppress=missingInclude $(includes_of "$file") "$file" || status=1
    } >"$key.$$" 2>&1
    if [ "$status" = 0 ]; then mv "$key.$$" "$key"; else cat "$key.$$" && rm -f "$key.$$"; fi
    return "$status"
}

lint_script() {
    local key
    key=$stamps/$(sha256sum <"$1" | cut -c1-64)
    if [ -e "$key" ]; then return; fi
    shellcheck -x "$1" && touch "$key"
}

if [ "${2:-}" = --one ]; then
    case $3 in
    *.c) lint_c "$3" ;;
    *) lint_script "$3" ;;
    esac
    exit
fi

for tool in clang clang-tidy clang-format cppcheck shellcheck ctags; do
    command -v "$tool" >/dev/null || { echo "lint: $tool is missing; \`make deps LINT=1\` installs it" && exit 1; }
done
mkdir -p "$stamps"
status=0
tools/dev/check_rules.sh || status=1
find include src tests tools -name '*.h' -print0 | xargs -0 -r clang-format --dry-run -Werror || status=1
find src tools tests .ci \( -name '*.c' -o -name '*.sh' -o -path .ci/run \) -print0 | LC_ALL=C sort -z |
    xargs -0 -r -P "$(nproc)" -n 1 "$0" "$stamps" --one || status=1
exit "$status"
