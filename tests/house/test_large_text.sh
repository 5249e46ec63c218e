#!/usr/bin/env bash
# 320 MB of text reduce within 300 MB of memory, from a file and from a pipe.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
command=${JR_TEST_BUILD:?}/jitreduce
if sanitized "$command"; then
    skip memory "a sanitizer takes memory of its own"
    finish
    exit
fi
make_work

# reduce FILE ARGUMENT...: prints the value, and whether no process took more than 300 MB.
reduce() {
    python3 - "$command" "$@" <<'PROGRAM'
import resource, subprocess, sys
subprocess.run([sys.argv[1], *sys.argv[3:]], stdin=open(sys.argv[2]))
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1000
print("in 300 MB" if most <= 300 else f"in {most} MB")
PROGRAM
}
seq 1 37000000 >"$work/whole.txt"
same "321 MB of whole numbers" $'684500018500000\nin 300 MB' "$(reduce "$work/whole.txt" "$work/whole.txt")"
same "321 MB of a table" $'684500018500000\nin 300 MB' "$(reduce "$work/whole.txt" --column 1 "$work/whole.txt")"
mkfifo "$work/pipe"
yes 0.125 | head -n 53333333 >"$work/pipe" &
same "320 MB of fractions through a pipe" $'6666666.625\nin 300 MB' "$(reduce "$work/pipe" -)"
finish
