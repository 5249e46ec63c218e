#!/usr/bin/env bash
# 400 MB of text reduce within 300 MB of memory, from a file and from a pipe.
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
seq 1 45000000 >"$work/whole.txt"
same "394 MB of whole numbers" $'1012500022500000\nin 300 MB' "$(reduce "$work/whole.txt" "$work/whole.txt")"
same "394 MB of a table" $'1012500022500000\nin 300 MB' "$(reduce "$work/whole.txt" --column 1 "$work/whole.txt")"
mkfifo "$work/pipe"
yes 0.125 | head -n 66666666 >"$work/pipe" &
same "400 MB of fractions through a pipe" $'8333333.25\nin 300 MB' "$(reduce "$work/pipe" -)"
finish
