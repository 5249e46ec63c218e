#!/usr/bin/env bash
# Every file that the command reads, in every form a shell can hand it over, of sizes around those of its buffers: the
# value is right, or a message says what is wrong, and the process never crashes nor hangs. A sample takes every tenth pair
# of reader and form, others for each size.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
make_work
cd "$work" || exit 1
export JITREDUCE_DEVICE=${JITREDUCE_DEVICE:-sim} JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so}
export JITREDUCE_CACHE_DIR=${JITREDUCE_CACHE_DIR:-$work/cache} JITREDUCE_WISDOM='' LC_ALL=C
zstd=$(command -v zstd)
sizes=(0 1 65535 65536 65537 1048577)
forms=(file dash dash_pipe stdin stdin_pipe fifo substituted gz gz_pipe)
if [ -n "$zstd" ]; then forms+=(zst zst_pipe); fi

# jr ARGUMENT...: the command, which is stopped where it hangs.
jr() { timeout --signal=KILL 600 "$build/jitreduce" -q "$@"; }

# hand FORM FILE WORD...: runs WORD..., a function of this script, with the file in a form: its last argument is the name
# by which it is read.
hand() {
    local form=$1 file=$2 code
    shift 2
    # shellcheck disable=SC2002  # a pipe is wanted, not the file
    case $form in
    file) "$@" "$file" </dev/null ;;
    dash) "$@" - <"$file" ;;
    dash_pipe) cat "$file" | "$@" - ;;
    stdin) "$@" /dev/stdin <"$file" ;;
    stdin_pipe) cat "$file" | "$@" /dev/stdin ;;
    fifo)
        rm -f fifo && mkfifo fifo
        cat "$file" >fifo 2>/dev/null &
        "$@" fifo </dev/null
        code=$?
        # A writer that nobody reads waits until the FIFO is opened.
        : <>fifo
        wait
        return "$code"
        ;;
    substituted) "$@" <(cat "$file") </dev/null ;;
    gz) gzip -1 -c "$file" >packed.gz && "$@" packed.gz </dev/null ;;
    gz_pipe) gzip -1 -c "$file" | "$@" - ;;
    zst) zstd -q -1 -c "$file" >packed.zst && "$@" packed.zst </dev/null ;;
    zst_pipe) zstd -q -1 -c "$file" | "$@" - ;;
    esac
}

# outcome FORM FILE WORD...: prints the value that came, or "refused" where a message of ours and code 1 or 2 did.
outcome() {
    local value code
    value=$(hand "$@" 2>said)
    code=$?
    if [ "$code" = 0 ]; then
        printf '%s\n' "$value"
    elif [ "$code" -le 2 ] && grep -q '^jitreduce: ' said; then
        echo refused
    else
        printf 'code %s: %s %s\n' "$code" "$value" "$(tail -n 3 said)"
    fi
}

# ones N: N bytes of the text "1\n1\n...", whose numbers are (N + 1) / 2.
ones() { yes 1 | head -c "$1"; }
# bytes N: N bytes of 1.
bytes() { head -c "$1" /dev/zero | tr '\0' '\1'; }
# array N: an .npy file of N bytes, of as many ones as fit; as much of it as there is room for.
array() {
    local dictionary
    dictionary="{'descr': '|u1', 'fortran_order': False, 'shape': ($(($1 > 128 ? $1 - 128 : 0)),)}"
    { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$dictionary" && if [ "$1" -gt 128 ]; then bytes $(($1 - 128)); fi; } | head -c "$1"
}
# padded N TEXT: TEXT and blank lines, N bytes in all; of a text that is longer as much as there is room for.
padded() { { printf '%s' "$2" && yes '' | head -c "$1"; } | head -c "$1"; }

text_of() { jr "$1"; }
column_of() { jr --column 1 "$1"; }
raw_of() { jr --format raw -t u8 "$1"; }
npy_of() { jr -f npy "$1"; }
exact_of() { jr --accuracy exact --format raw -t f16 "$1"; }
scan_of() { jr scan --format raw -t u8 "$1" | tail -n 1; }
second_of() { jr --op dot --format raw -t u8 bytes.in -y "$1"; }
offsets_of() { jr --iota 1 --segments "$1" | wc -l; }
runs_of() { jr --format raw -t u8 bytes.in --keys "$1" --key-type u8; }
groups_of() { jr --format raw -t u8 bytes.in --group-by "$1" --key-type u8; }
scan_keys_of() { jr scan --format raw -t u8 bytes.in --keys "$1" --key-type u8 | tail -n 1; }
compare_of() { jr compare --format raw -t u8 --csv "$1" | grep -c '^[a-z_]*,'; }
trace_of() { jr trace --format raw -t u8 --json "$1" >traced && echo traced; }
kernel_of() { jr run "$1" --entry k --grid 1 --block 1 --arg out:i32:1; }
argument_of() { jr run first.cu --entry first --grid 1 --block 1 --arg "$1" --arg out:u8:1; }
state_of() { jr --accuracy exact --add-state "$1" one.txt; }
replay_of() { jr replay "$1" | grep -c 'the same as then'; }
# What the library opens itself: a file that is no pack or no wisdom says so in the log, and the value comes all the same
# where it can be compiled.
pack_of() { JITREDUCE_PACKS=$1 JITREDUCE_NVRTC=/absent JITREDUCE_CACHE_DIR='' jr --iota 3 || return 1; }
wisdom_of() { JITREDUCE_WISDOM=$1 jr --iota 3; }
header_of() {
    rm -f include/part.h && ln -s "$(case $1 in -) echo /dev/stdin ;; /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac)" include/part.h
    jr run with.cu --entry k --grid 1 --block 1 -I include --arg out:i32:1
}

# holds READER FILE EXPECTED FORM...: each form gives the same.
holds() {
    local reader=$1 file=$2 expected=$3 form
    shift 3
    for form in "$@"; do
        chosen 10 || continue
        same "$reader of $(stat -c %s "$file") bytes, $form" "$expected" "$(outcome "$form" "$file" "${reader}_of")"
    done
}

echo 1 >one.txt
mkdir include
kernel='extern "C" __global__ void k(int *x) { *x = 7; }
'
echo 'extern "C" __global__ void first(const unsigned char *x, unsigned char *y) { *y = x[0]; }' >first.cu
printf '#include <part.h>\nextern "C" __global__ void k(int *x) { *x = PART; }\n' >with.cu
jr --accuracy exact -t f64 --iota 5 --save-state kept.state >/dev/null
jr pack --op sum --type i64 --arch sim -o kept.jrpack >/dev/null
array 256 >args.npy
JITREDUCE_CAPTURE=launches jr run first.cu --entry first --grid 1 --block 1 --arg args.npy --arg out:u8:1 >/dev/null

# What is read whatever its size: the values, which N bytes have.
any_size() {
    local n=$1 numbers=$((($1 + 1) / 2)) elements=$(($1 - 128))
    ones "$n" >ones.in
    bytes "$n" >bytes.in
    array "$n" >array.in
    tr 1 0 <ones.in >zeros.in
    head -c $((n / 2 * 2)) /dev/zero >halves.in
    holds text ones.in "$numbers" "${forms[@]}"
    holds column ones.in "$numbers" "${forms[@]}"
    holds raw bytes.in "$n" "${forms[@]}"
    holds exact halves.in 0 "${forms[@]}"
    holds scan bytes.in "$([ "$n" = 0 ] || echo "$n")" "${forms[@]}"
    holds second bytes.in "$n" "${forms[@]}"
    holds runs bytes.in "$([ "$n" = 0 ] && echo refused || echo "1 $n")" "${forms[@]}"
    holds groups bytes.in "$([ "$n" = 0 ] || echo "1 $n")" "${forms[@]}"
    holds scan_keys bytes.in "$([ "$n" = 0 ] || echo "$n")" "${forms[@]}"
    holds offsets zeros.in "$([ "$n" = 0 ] && echo refused || echo $((numbers - 1)))" "${forms[@]}"
    holds npy array.in "$([ "$n" -lt 128 ] && echo refused || echo "$elements")" "${forms[@]}"
    holds argument array.in "$([ "$n" -lt 128 ] && echo refused || echo "2 out:u8:1, u8: 1")" "${forms[@]}"
}

# Formats that contain their size, complete, and as a part of a file that is too long or too short. Files that the
# library opens must be regular ones, of this user: any other is refused, or, for stored tunings, skipped with a line in
# the log.
own_size() {
    holds state kept.state 11 "${forms[@]}"
    holds replay launches/first.1.jrlaunch 1 file
    holds replay launches/first.1.jrlaunch refused stdin stdin_pipe fifo substituted gz
    holds pack kept.jrpack 3 file
    holds pack kept.jrpack refused stdin stdin_pipe fifo substituted gz
    holds wisdom one.txt 3 file stdin stdin_pipe fifo substituted gz
}
sized() {
    padded "$1" "$kernel" >kernel.in
    padded "$1" '#define PART 7
' >header.in
    cat kept.state <(bytes "$1") | head -c "$1" >state.in
    cat kept.jrpack <(bytes "$1") | head -c "$1" >kept.in
    cat launches/first.1.jrlaunch <(bytes "$1") | head -c "$1" >launch.in
    local fits=refused
    if [ "$1" -gt 100 ]; then fits="1 out:i32:1, i32: 7"; fi
    holds kernel kernel.in "$fits" "${forms[@]}"
    holds header header.in "$fits" file
    holds header header.in refused stdin_pipe fifo substituted
    holds state state.in refused "${forms[@]}"
    holds pack kept.in refused file fifo
    holds replay launch.in refused file fifo
    holds wisdom bytes.in 3 file fifo
}

own_size
for n in "${sizes[@]}"; do
    dealt=$((dealt + 1))
    any_size "$n"
    sized "$n"
done
bytes 3000 >bytes.in
holds compare bytes.in "$(jr compare --format raw -t u8 --csv bytes.in | grep -c '^[a-z_]*,')" "${forms[@]}"
holds trace bytes.in traced "${forms[@]}"
finish
