#!/usr/bin/env bash
# The runner of the golden tests: what agrees passes, what differs fails, and a tool that failed is never agreement.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work

# judge NAME: runs one case, whose transcript comes on standard input, and prints what the runner counted.
judge() {
    rm -rf "$work/cases" && mkdir "$work/cases"
    cat >"$work/cases/$1.case"
    CLI_CASES=$work/cases tests/cli/run.sh "$1" | tail -1
}
passes() { same "$1" "1 passed, 0 failed, 0 skipped" "$(judge planted)"; }
fails() { same "$1" "0 passed, 1 failed, 0 skipped" "$(judge planted)"; }

passes "what agrees" <<'END'
# A comment.
$ echo one; echo two >&2; exit 3
one
!3 two
END
passes "a code in a line of its own" <<<$'$ echo two >&2; exit 3\n! two\n= 3'
passes "a pattern" <<<$'$ echo 12345\n1*5 (glob)'
same "a case without the command that it needs" "0 passed, 0 failed, 1 skipped" \
    "$(judge planted <<<$'# needs: no_such_word\n$ no_such_word\nanything')"
passes "a case with the command that it needs" <<<$'# needs: seq\n$ seq 1\n1'
fails "another line" <<<$'$ echo one\ntwo'
fails "another code" <<<$'$ exit 3'
fails "another code beside a message" <<<$'$ echo two >&2; exit 3\n!2 two'
passes "a word that is a tool's name" <<<$'$ echo the awk: line 1\nthe awk: line 1'
same "a name that no case has" "0 passed, 1 failed, 0 skipped" "$(CLI_CASES=$work/cases tests/cli/run.sh absent | tail -1)"

# Frozen output of a tool that failed agrees with what is printed, and is refused all the same.
fails "awk" <<<$'$ echo "awk: line 1: syntax error at or near =" >&2; exit 2\n! awk: line 1: syntax error at or near =\n= 2'
fails "sed by its path" <<<$'$ echo "/bin/sed: -e expression" >&2\n! /bin/sed: -e expression'
fails "sed among the results" <<<$'$ echo "sed: -e expression"\nsed: -e expression'
fails "a missing command" <<<$'$ no_such_word\n! bash: line 1: no_such_word: command not found\n= 127'
fails "Python" <<<$'$ echo "Traceback (most recent call last):" >&2\n! Traceback (most recent call last):'
fails "a crash" <<<$'$ kill -SEGV $BASHPID\n= 139'
fails "a crash after a message" <<<$'$ echo two >&2; kill -SEGV $BASHPID\n!139 two'
fails "a pattern over a tool's error" <<<$'$ ls absent\n! * (glob)\n= 2'
fails "a tool's error that the case does not expect" <<<$'$ ls absent\n= 2'
finish
