#!/usr/bin/env bash
# Arrays and raw files that cannot be mapped are reduced part by part: packed ones and pipes of a gigabyte take less than
# half of that, and headers that lie are refused before what they promise is read. The limit is one of address space, so
# that a busy machine changes nothing.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
if sanitized "$build/jitreduce"; then
    skip memory "a sanitizer takes address space of its own"
    finish
    exit
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export JITREDUCE_DEVICE=sim JITREDUCE_SIM=${JITREDUCE_SIM-$build/libjrsim.so} JITREDUCE_WISDOM='' LC_ALL=C

# within KIB ARGUMENT...: the command with so much address space; what it prints, errors, too.
within() {
    (ulimit -v "$1" && shift && exec "$build/jitreduce" -q "$@" 2>&1) | tr '\n' ' '
}
# ahead ARGUMENT...: the same without a limit, for the kernels: compiling takes what it takes.
ahead() { head -c 40000000 /dev/zero | "$build/jitreduce" -q "$@" >/dev/null; }
# array COUNT: the header of an array of f64.
array() { printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '<f8', 'fortran_order': False, 'shape': ($1,)}"; }
zeros() { head -c "$1" /dev/zero; }
packed() { if command -v zstd >/dev/null; then zstd -q -1; else gzip -1; fi; }

half=450000
giga=1073741824
ahead --raw -t f64 -p sum,min -
zeros "$giga" | packed >raw.packed
{ array $((giga / 8)) && zeros "$giga"; } | packed >array.packed
same "a packed raw file of 1 GiB" "0 0 " "$(within "$half" --raw -t f64 -p sum,min raw.packed)"
same "a packed array of 1 GiB" "0 0 " "$(within "$half" -p sum,min array.packed)"
same "an array of 1 GiB through a pipe" "0 0 " "$({ array $((giga / 8)) && zeros "$giga"; } | within "$half" -p sum,min -)"
same "two packed arrays" "0 0 " "$(within "$half" -p sum,min array.packed array.packed)"

# Order, fields and byte order as in memory.
python3 - <<'PROGRAM'
import array, struct
def write(name, descr, shape, order, data):
    head = ("{'descr': %s, 'fortran_order': %s, 'shape': %s}" % (descr, order, shape)).ljust(117) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + data)
numbers = array.array("i", range(9000000))
swapped = array.array("i", numbers)
swapped.byteswap()
write("plain.npy", "'<i4'", "(9000000,)", False, numbers.tobytes())
write("swapped.npy", "'>i4'", "(9000000,)", False, swapped.tobytes())
write("columns.npy", "'<i4'", "(3000000, 3)", True, numbers.tobytes())
write("fields.npy", "[('a', '|u1'), ('b', '<i4')]", "(5000000,)", False, b"".join(struct.pack("<Bi", i % 7, i) for i in range(5000000)))
PROGRAM
for name in plain swapped columns; do
    same "$name" "$("$build/jitreduce" -q -p sum,argmax $name.npy)" "$("$build/jitreduce" -q -p sum,argmax - <$name.npy | cat)"
    same "$name, piped" "$("$build/jitreduce" -q -p sum,argmax $name.npy)" "$(gzip -1 -c $name.npy | "$build/jitreduce" -q -p sum,argmax -)"
done
same "the sum of 0 to 8999999" $'40499995500000\n8999999' "$(gzip -1 -c plain.npy | "$build/jitreduce" -q -p sum,argmax -)"
for field in a b; do
    same "field $field" "$("$build/jitreduce" -q -p sum,argmax --field $field fields.npy)" "$(gzip -1 -c fields.npy | "$build/jitreduce" -q -p sum,argmax --field $field -)"
done
same "a reproducible sum of many elements" "$("$build/jitreduce" -q --raw -t f32 --accuracy reproducible plain.npy)" \
    "$(gzip -1 -c plain.npy | "$build/jitreduce" -q --raw -t f32 --accuracy reproducible -)"
# shellcheck disable=SC2002  # a pipe is wanted, not the file
same "a pipe beside a file" 80999991000000 "$(cat plain.npy | "$build/jitreduce" -q - swapped.npy)"
# shellcheck disable=SC2002
same "text beside a pipe" 40499995500005 "$(cat plain.npy | "$build/jitreduce" -q - <(echo 5))"

# Lies: told from the header, or from as much as it takes.
little=60000
{ printf '\x93NUMPY\x02\x00\xff\xff\xff\x7f' && zeros "$giga"; } | packed >header.packed
same "a header of 2 GiB" "jitreduce: header.packed: npy header, byte 8: a header of 2147483647 bytes; at most 1048576 are read " "$(within "$little" header.packed)"
same "a header of 2 GiB, of a scan" "jitreduce: header.packed: npy header, byte 8: a header of 2147483647 bytes; at most 1048576 are read " "$(within "$little" scan header.packed)"
{ array 10 && zeros "$giga"; } | packed >longer.packed
same "more than the header promises" "jitreduce: longer.packed: byte 208: bytes follow the last element " "$(within "$little" longer.packed)"
same "more than the header promises, of a scan" "jitreduce: longer.packed: byte 208: bytes follow the last element " "$(within "$little" scan longer.packed)"
{ array 1000000000000 && zeros 1000000; } | packed >shorter.packed
same "less than the header promises" "jitreduce: shorter.packed: byte 1000128: the file ends early: the header promises 1000000000000 elements of f64 (8000000000000 bytes) from byte 128 on, but only 1000000 bytes follow " "$(within "$little" shorter.packed)"
finish
