#!/usr/bin/env bash
# Drives the command in a real terminal (tmux): completion in bash, zsh and fish, the progress bar, and Ctrl-C.
# shellcheck disable=SC2016  # bash -c has its own arguments
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
if ! command -v tmux >/dev/null; then
    skip terminal "tmux is missing (make deps installs it)"
    finish
    exit
fi
work=$(mktemp -d)
server=0
trap 'close; rm -rf "$work"' EXIT
mkdir "$work/bin" && ln -s "${JR_TEST_BUILD:?}/jitreduce" "$work/bin/jitreduce"
export PATH=$work/bin:$PATH HOME=$work TERM=xterm-256color PS1='$ '
unset ENV BASH_ENV PROMPT_COMMAND TMUX NO_COLOR
export TMUX_TMPDIR=$work

# terminal COLUMNS COMMAND...: a fresh terminal that runs a command. Each has a server of its own: one that has just lost
# its last session still takes calls while it ends ("server exited unexpectedly").
terminal() {
    local tries
    for tries in 1 2 3; do
        server=$((server + 1))
        if tmux -L "$server" -u -f /dev/null new-session -d -x "$1" -y 40 -s t "${@:2}"; then return; fi
    done
    echo "tmux started no terminal in $tries tries"
    return 1
}
close() { tmux -L "$server" kill-server 2>/dev/null; }
type_keys() { tmux -L "$server" send-keys -t t "$@"; }
screen() { tmux -L "$server" capture-pane -p -t t 2>/dev/null; }

# sees PATTERN: waits until the terminal shows it, two minutes at most.
sees() {
    local i
    for i in $(seq 1200); do
        if screen | grep -qE -e "$1"; then return 0; fi
        sleep 0.1
    done
    echo "the terminal does not show '$1' after $((i / 10)) seconds, but:"
    screen | sed '/^ *$/d'
    return 1
}

# completes SHELL COMMAND SOURCE: what a shell makes of tabs.
completes() {
    local shell=$1
    if ! command -v "$shell" >/dev/null; then
        skip "completion of $shell" "$shell is missing (make deps installs it)"
        return
    fi
    terminal 120 "${@:3}"
    type_keys "$2" Enter
    type_keys "echo rea''dy" Enter
    check "$shell starts" sees '^ready'
    type_keys 'clear' Enter
    type_keys 'jitreduce ben' Tab
    check "$shell completes a command" sees 'jitreduce bench'
    type_keys -- '--pee' Tab
    check "$shell completes an option of the command" sees 'bench --peer'
    type_keys C-u
    type_keys 'jitreduce --device si' Tab
    check "$shell completes a value" sees 'jitreduce --device sim'
    type_keys C-u
    type_keys 'jitreduce --op sum,argma' Tab
    check "$shell completes a value of a list" sees 'jitreduce --op sum,argmax'
    type_keys C-u
    touch "$work/numbers.npy"
    type_keys "jitreduce -y $work/numb" Tab
    check "$shell completes a file" sees 'numbers.npy'
    close
}
completes bash 'source <(jitreduce help bash)' bash --norc --noprofile
completes zsh "autoload -Uz compinit; compinit -u -d $work/dump; source <(jitreduce help zsh)" zsh -f
completes fish 'jitreduce help fish | source' fish --no-config
# The name alone is a question; with an option it lacks its input.
terminal 120 bash --norc --noprofile
type_keys 'clear; jitreduce | tail -n 3; echo code ${PIPESTATUS[0]}' Enter
check "the name alone prints the page of help" sees '^ +man jitreduce +the same'
check "and is no error" sees '^code 0'
type_keys 'clear; jitreduce --op max; echo code $?' Enter
check "an option without input is an error that says what to do" sees '^jitreduce: no input: name a file, pipe numbers in'
check "with its exit code" sees '^code 2'
close

# What takes long has a bar, which is gone when the value is there.
seq 1 30000000 >"$work/long.txt"
value='^450000015000000'
terminal 120 bash --norc --noprofile
type_keys "cd $work; export JITREDUCE_DEVICE=sim; clear" Enter
type_keys 'jitreduce long.txt' Enter
check "reading a large text has a bar" sees '^\[#+\.+\] +[0-9]+ %  reading long.txt: [0-9]+ MB'
check "the value comes" sees "$value"
check "the bar is gone then" bash -c '! grep -q "reading long" <<<"$1"' - "$(screen)"
type_keys 'clear; cat long.txt | jitreduce --type i64' Enter
check "a pipe, whose size is unknown, is told in bytes" sees '^reading standard input: [0-9]+ MB'
check "the value comes from it, too" sees "$value"
type_keys 'clear; jitreduce --quiet long.txt; echo end' Enter
check "--quiet shows no bar" bash -c '! grep -q reading <<<"$1"' - "$(sees "$value" && screen)"
type_keys 'clear; NO_COLOR=1 jitreduce long.txt' Enter
check "NO_COLOR makes it plain lines" sees '^[1-9]0 % reading long.txt'
check "the value comes behind them" sees "$value"
type_keys 'clear; TERM=dumb jitreduce --op max long.txt' Enter
check "so does a terminal that moves no cursor" sees '^[1-9]0 % reading long.txt'
check "the greatest one comes" sees '^30000000'
type_keys 'clear; jitreduce long.txt 2>errors; wc -c errors' Enter
check "no bar goes into a file" sees '^0 errors'

# An interrupted benchmark prints the sizes that it has finished.
type_keys 'clear; jitreduce bench --sizes 2^10..2^23*2 --csv >rows.csv' Enter
check "a benchmark has a bar" sees '^\[#+\.+\] +[0-9]+ %  sum f32, [0-9]{4,} elements'
type_keys C-c
type_keys 'echo code $?' Enter
check "Ctrl-C ends it as it ends others" sees '^code 130'
check "the finished rows are there" grep -qE '^sum,f32,1024,.*,jitreduce,' "$work/rows.csv"
check "the last one is not" bash -c '! grep -qE "^sum,f32,8388608," "$1"' - "$work/rows.csv"
close

# A picture is as wide as the terminal, and of block elements where the locale is one of UTF-8.
terminal 70 env LC_ALL=C.UTF-8 bash --norc --noprofile
type_keys "cd $work; export JITREDUCE_DEVICE=sim; clear" Enter
type_keys 'clear; jitreduce compare --plot --iota 100000' Enter
check "a picture is drawn in the terminal" sees '^single_pass +[0-9.]+  [█▉▊▋▌▍▎▏]+'
check "its longest bar ends where the terminal does" sees '^[a-z_]+ +[0-9.]+  (█){40}$'
type_keys 'clear; NO_COLOR=1 jitreduce compare --plot --iota 100000' Enter
check "NO_COLOR draws it in ASCII" sees '^single_pass +[0-9.]+  #+'
close
finish
