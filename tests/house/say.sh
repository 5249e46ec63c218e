# Shared by the shell tests: counts what passed and closes with the line that the test runner reads.
# shellcheck shell=bash
passed=0 failed=0 skipped=0

# make_work: makes a folder, $work, which is removed when the script ends.
make_work() {
    work=$(mktemp -d) || exit 1
    trap 'rm -rf "$work"' EXIT
}

# check NAME COMMAND...: runs a command, silent when it succeeds.
check() {
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'failed %s: %s\n%s\n' "$name" "$*" "$output"
    fi
}

# same NAME EXPECTED ACTUAL: compares two texts.
same() {
    check "$1" diff <(printf '%s\n' "$2") <(printf '%s\n' "$3")
}

# Is everything to be run, and not the sample that make check takes?
whole() { [ "${JR_TESTS:-}" = whole ]; }

# chosen ONE_IN: true once in ONE_IN calls; where everything is to be run always.
dealt=0
chosen() {
    dealt=$((dealt + 1))
    whole || [ $((dealt % $1)) = 0 ]
}

skip() {
    skipped=$((skipped + 1))
    printf 'skipped %s: %s\n' "$1" "$2"
}

# sanitized FILE: was it built with a sanitizer?
sanitized() { readelf -d "$1" | grep -qE 'lib[atul][a-z]*san\.so'; }

finish() {
    printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    [ "$failed" = 0 ]
}
