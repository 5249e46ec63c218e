#!/usr/bin/env bash
# What tools/dev/deps.sh says and asks apt-get for, where much is missing: an ordinary user gets one line, root sizes and progress.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
make_work

# A machine without headers: its compiler fails. Its apt-get writes down what it is asked for.
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
echo "$*" >>"$APT_LOG"
case "$*" in
*-s\ install*) printf 'Inst libmd-dev\nInst libbsd-dev\n' ;;
*--assume-no*) printf 'Need to get 54.7 MB of archives.\nAfter this operation, 213 MB of additional disk space will be used.\n' ;;
*Status-Fd=3*) printf 'dlstatus:1:50.0:Downloading\npmstatus:libmd-dev:100.0:Installed\n' >&3; exit "${APT_EXIT:-0}" ;;
esac
END
cat >"$work/bin/id" <<'END'
#!/bin/sh
echo "$FAKE_ID"
END
chmod +x "$work"/bin/*
deps() { # USER ARGUMENT...
    : >"$work/log"
    FAKE_ID=$1 APT_LOG=$work/log CC=${COMPILER:-/nowhere/cc} PATH=$work/bin:$PATH JITREDUCE_NVRTC=/bin/sh PYTHON_TABLES=/bin/sh \
        tools/dev/deps.sh "${@:2}" 2>&1
}
of() { grep -c "$1" <<<"$2"; }

text=$(deps 1000 --demo)
same "an ordinary user's demo ends" 1 "$(deps 1000 --demo >/dev/null; echo $?)"
same "it names the one line to run" 1 "$(of "apt-get update && apt-get install -y --no-install-recommends libc6-dev libmd-dev" "$text")"
same "it gives a reason for each package" 1 "$(of 'missing: zlib1g-dev (the command reads' "$text")"
same "the demo needs no test framework" 0 "$(of cmocka "$text")"
same "nothing was installed" "" "$(cat "$work/log")"

text=$(deps 1000 --check)
same "an ordinary user's check that lacks the test framework ends" 1 "$(deps 1000 --check >/dev/null; echo $?)"
same "it names that, too" 1 "$(of 'install.*libcmocka-dev' "$text")"

# A compiler that finds all headers but mpfr.h, which only a judge includes.
cat >"$work/bin/no-mpfr" <<'END'
#!/bin/sh
! grep -q mpfr
END
chmod +x "$work/bin/no-mpfr"
same "a check that lacks a judge's library goes on" 0 "$(COMPILER=no-mpfr deps 1000 --check >/dev/null; echo $?)"
same "and says that tests are skipped" 1 "$(COMPILER=no-mpfr deps 1000 --check | grep -c 'are skipped')"
same "root's goes on without a network, too" 0 "$(COMPILER=no-mpfr APT_EXIT=100 deps 0 --check >/dev/null; echo $?)"

text=$(deps 0 --demo)
same "root's demo passes" 0 "$(deps 0 --demo >/dev/null; echo $?)"
same "it says how much there is to fetch" 1 "$(of '2 in all, 54.7 MB to download, 213 MB on disk' "$text")"
same "it shows progress" 2 "$(grep -cE '^    (downloaded 50|installed 100) %' <<<"$text")"
same "the packages were installed" 1 "$(grep -c 'Status-Fd=3 install --no-install-recommends libc6-dev libmd-dev' "$work/log")"
text=$(deps 0 --check)
same "root's check installs the judges' libraries, too" 1 "$(grep -c 'Status-Fd=3.*libmpfr-dev' "$work/log")"
same "without a network, a check that lacks what it needs ends" 1 "$(APT_EXIT=100 deps 0 --check >/dev/null; echo $?)"
same "an installation that fails ends it" 1 "$(APT_EXIT=100 deps 0 --demo >/dev/null; echo $?)"
finish
