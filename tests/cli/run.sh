#!/usr/bin/env bash
# Golden tests of the command: runs the transcripts in tests/cli/*.case and compares what is printed with what they hold.
# usage: [CLI_UPDATE=1] run.sh [NAME...]     CLI_UPDATE=1 writes what was printed into the transcripts instead
#
# A case is lines, in order:
#   # text             a comment; '# only: sim' leaves the case out on another device, '# needs: COMMAND' where it is
#                      missing, '# needs: numpy' where no Python has NumPy
#   $ command          run by bash in a fresh folder, with the words of helpers.sh; 'data' is tests/cli/data
#   text               a line that it printed on standard output; '(empty line)' is one without text
#   ! text             a line that it printed on standard error
#   !2 text            the last of them, with its exit code, when that is not 0; where it printed none there, '= 2' stands alone
# An expected line that ends in ' (glob)' is a pattern of bash. The folder stays the same for a whole case.
# What a tool of the command line says of its own failure (awk: syntax error, a missing command, a crash) is refused both
# in the case and in what was printed: a check whose tool failed has checked nothing.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
here=$PWD/tests/cli
cases=${CLI_CASES:-$here}
build=$(cd "${JR_TEST_BUILD:-build/current}" && pwd) || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache} LC_ALL=C
mkdir "$work/bin" "$work/cases"
ln -s "$build/jitreduce" "$work/bin/jitreduce"
export PATH=$work/bin:$PATH
export JITREDUCE_WISDOM= # what was tuned on this machine is not what is tested
unset XDG_CACHE_HOME XDG_DATA_HOME JRSIM_SEED JRSIM_FAIL
export HELPERS=$here/helpers.sh NUMPY

# Runs one command and prints its part of the transcript.
run_command() {
    local code=0
    (cd "$folder" && bash -c ". \"\$HELPERS\"; $1") >"$work/out" 2>"$work/err" </dev/null || code=$?
    printf '$ %s\n' "$1"
    awk '{print ($0 == "" ? "(empty line)" : $0)}' "$work/out"
    awk '{print "! " $0}' "$work/err"
    if [ "$code" != 0 ]; then printf '= %d\n' "$code"; fi
}

# Runs a case and prints its transcript: the comments and commands as they stand, the rest as it came.
run_case() {
    local line
    while IFS= read -r line; do
        case $line in
        '$ '*) run_command "${line#??}" ;;
        '#'* | '') printf '%s\n' "$line" ;;
        esac
    done <"$1"
}

# Puts an exit code into the line of standard error before it.
join_codes() {
    awk '/^= [0-9]+$/ && last ~ /^! / {last = "!" substr($0, 3) substr(last, 2); next}
        NR > 1 {print last}
        {last = $0}
        END {if (NR) print last}' "$1"
}

# Puts a pattern of the case in the place of the line that it matches, so that diff shows only what differs.
match_patterns() {
    local expected actual
    mapfile -t expected <"$1"
    mapfile -t actual <"$2"
    for i in "${!actual[@]}"; do
        local pattern=${expected[i]:-}
        # shellcheck disable=SC2053  # the right side is a pattern
        if [[ $pattern == *' (glob)' && ${actual[i]} == ${pattern% (glob)} ]]; then actual[i]=$pattern; fi
        printf '%s\n' "${actual[i]}"
    done
}

# Prints the lines of a transcript with an error message of a tool; succeeds when it finds any.
tools='awk|gawk|mawk|original-awk|sed|grep|sort|uniq|cut|tr|head|tail|cat|wc|cmp|diff|ls|mv|cp|rm|ln|mkdir|chmod|stat|od|seq'
tools+='|env|find|tee|xargs|timeout|gcc|cc|clang|ld|collect2|perl|python3?|sh|bash'
find_tool_errors() {
    grep -nE -e "^(![0-9]* )?([^ :]*/)?($tools): " -e '(command|Permission) (not found|denied)$' \
        -e 'Traceback \(most recent|Segmentation fault|Aborted|core dumped|Bus error|Illegal instruction|syntax error' \
        -e '^(= |!)(12[67]|1[3-9][0-9])( |$)' "$1"
}

for name in "$@"; do
    if [ ! -f "$cases/$name.case" ]; then check "$name: no case has this name" false; fi
done
for case in "$cases"/*.case; do
    name=$(basename "$case" .case)
    if [ $# -gt 0 ] && [[ " $* " != *" $name "* ]]; then continue; fi
    only=$(sed -n 's/^# only: //p' "$case")
    if [ -n "$only" ] && [ "$only" != "$JITREDUCE_DEVICE" ]; then
        skip "$name" "it is for the device $only, and this is $JITREDUCE_DEVICE"
        continue
    fi
    needed=$(sed -n 's/^# needs: //p' "$case")
    if [ "$needed" = numpy ] && ! NUMPY=${NUMPY:-$(bash -c '. "$HELPERS"; find_numpy')}; then
        skip "$name" "no Python here has NumPy (make deps installs python3-numpy)"
        continue
    fi
    if [ -n "$needed" ] && [ "$needed" != numpy ] && ! command -v "$needed" >/dev/null; then
        skip "$name" "$needed is missing (make deps installs it)"
        continue
    fi
    folder=$work/cases/$name
    mkdir "$folder"
    ln -s "$here/data" "$folder/data"
    join_codes "$case" >"$work/expected"
    run_case "$case" >"$work/printed"
    join_codes "$work/printed" >"$work/raw"
    match_patterns "$work/expected" "$work/raw" >"$work/actual"
    if [ -n "${CLI_UPDATE:-}" ]; then cp "$work/actual" "$case"; fi
    if errors=$(find_tool_errors "$work/expected" || find_tool_errors "$work/raw"); then
        failed=$((failed + 1))
        printf 'failed %s: a tool failed, and its check with it:\n%s\n' "$name" "$errors"
    else
        check "$name" diff -u --label expected --label printed "$work/expected" "$work/actual"
    fi
done
finish
