#!/usr/bin/env bash
# Arrays and raw files that cannot be mapped are reduced part by part: packed ones and pipes of 480 MiB take less than
# 440 MiB, the library and the simulator included, and headers that lie are refused before what they promise is read. The
# limit is one of address space, so that a busy machine changes nothing.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd) || exit 1
export JRSIM_THREADS=2 # each thread reserves address space, and the limit below counts it
if sanitized "$build/jitreduce"; then
    skip memory "a sanitizer takes address space of its own"
    finish
    exit
fi
make_work
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
giga=503316480 # 480 MiB
ahead --format raw -t f64 -p sum,min -
zeros "$giga" | packed >raw.packed
{ array $((giga / 8)) && zeros "$giga"; } | packed >array.packed
same "a packed raw file of 480 MiB" "0 0 " "$(within "$half" --format raw -t f64 -p sum,min raw.packed)"
same "an array of 480 MiB through a pipe" "0 0 " "$({ array $((giga / 8)) && zeros "$giga"; } | within "$half" -p sum,min -)"
if whole; then
    same "a packed array of 480 MiB" "0 0 " "$(within "$half" -p sum,min array.packed)"
    same "two packed arrays" "0 0 " "$(within "$half" -p sum,min array.packed array.packed)"
fi

# Order, fields and byte order as in memory.
python3 - <<'PROGRAM'
import array, struct
def write(name, descr, shape, order, data):
    head = ("{'descr': %s, 'fortran_order': %s, 'shape': %s}" % (descr, order, shape)).ljust(117) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00\x76\x00" + head.encode() + data)
numbers = array.array("i", range(1500000))
swapped = array.array("i", numbers)
swapped.byteswap()
write("plain.npy", "'<i4'", "(1500000,)", False, numbers.tobytes())
write("swapped.npy", "'>i4'", "(1500000,)", False, swapped.tobytes())
write("columns.npy", "'<i4'", "(500000, 3)", True, numbers.tobytes())
write("fields.npy", "[('a', '|u1'), ('b', '<i4')]", "(1000000,)", False, b"".join(struct.pack("<Bi", i % 7, i) for i in range(1000000)))
PROGRAM
for name in plain swapped columns; do
    same "$name" "$("$build/jitreduce" -q -p sum,argmax $name.npy)" "$("$build/jitreduce" -q -p sum,argmax - <$name.npy | cat)"
    same "$name, piped" "$("$build/jitreduce" -q -p sum,argmax $name.npy)" "$(gzip -1 -c $name.npy | "$build/jitreduce" -q -p sum,argmax -)"
done
same "the sum of 0 to 1499999" $'1124999250000\n1499999' "$(gzip -1 -c plain.npy | "$build/jitreduce" -q -p sum,argmax -)"
for field in a b; do
    same "field $field" "$("$build/jitreduce" -q -p sum,argmax --field $field fields.npy)" "$(gzip -1 -c fields.npy | "$build/jitreduce" -q -p sum,argmax --field $field -)"
done
same "a reproducible sum of many elements" "$("$build/jitreduce" -q --format raw -t f32 --accuracy reproducible plain.npy)" \
    "$(gzip -1 -c plain.npy | "$build/jitreduce" -q --format raw -t f32 --accuracy reproducible -)"
# shellcheck disable=SC2002  # a pipe is wanted, not the file
same "a pipe beside a file" 2249998500000 "$(cat plain.npy | "$build/jitreduce" -q - swapped.npy)"
# shellcheck disable=SC2002
same "text beside a pipe" 1124999250005 "$(cat plain.npy | "$build/jitreduce" -q - <(echo 5))"

# Members of .npz files, further inputs, and Fortran order where order is of no account.
python3 - <<'PROGRAM'
import struct, zipfile, zlib
def head(descr, shape, order=False):
    text = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s}" % (descr, order, shape)).ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00\x76\x00" + text.encode()
# Each MiB of zeros is packed to the same bytes, which deflating 480 of them one by one would take seconds to find.
def packed(header, zeros):
    deflate, block = zlib.compressobj(1, zlib.DEFLATED, -15), bytes(1 << 20)
    begin, one = (deflate.compress(part) + deflate.flush(zlib.Z_FULL_FLUSH) for part in (header, block))
    checksum = zlib.crc32(header)
    for _ in range(zeros >> 20): checksum = zlib.crc32(block, checksum)
    data = begin + one * (zeros >> 20) + deflate.flush()
    return data, (8, 0, 33, checksum, len(data), len(header) + zeros)
members = {b"rows.npy": packed(head("<f8", "(62914560,)"), 480 << 20), b"columns.npy": packed(head("<f8", "(31457280, 2)", True), 480 << 20)}
with open("giga.npz", "wb") as file:
    directory = b""
    for name, (data, about) in members.items():
        directory += struct.pack("<4s3H3H3I5H2I", b"PK\x01\x02", 20, 20, 0, *about, len(name), 0, 0, 0, 0, 0, file.tell()) + name
        file.write(struct.pack("<4s2H3H3I2H", b"PK\x03\x04", 20, 0, *about, len(name), 0) + name + data)
    file.write(directory + struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 2, 2, len(directory), file.tell(), 0))
with zipfile.ZipFile("little.npz", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in ("plain", "columns"): archive.write(name + ".npy")
data = bytearray(open("little.npz", "rb").read())
with zipfile.ZipFile("little.npz") as archive: entry = archive.getinfo("plain.npy")
at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"columns.npy"))  # the directory's entry of the second member
first = data.rindex(b"PK\x01\x02", 0, at)
data[first + 16] ^= 1
open("checksum.npz", "wb").write(data)
data[first + 16] ^= 1
data[first + 24:first + 28] = (1000).to_bytes(4, "little")
open("fewer.npz", "wb").write(data)
data[first + 24:first + 28] = (0xf0000000).to_bytes(4, "little")
open("more.npz", "wb").write(data)
PROGRAM
zeros 40000000 | packed >ahead.packed
ahead --format raw -t f64 --op dot -y ahead.packed -
if whole; then
    same "a member of 480 MiB" "0 0 " "$(within "$half" -p sum,min giga.npz:rows)"
    same "the products of two inputs of 480 MiB" "0 " "$(within "$half" --op dot array.packed -y giga.npz:rows)"
fi
same "a member of 480 MiB in Fortran order" "0 0 " "$(within "$half" -p sum,min giga.npz:columns)"
same "a pipe of 480 MiB beside a member" "0 " "$({ array $((giga / 8)) && zeros "$giga"; } | within "$half" --op dot - -y giga.npz:rows)"
for name in plain columns; do
    same "member $name" "$("$build/jitreduce" -q -p sum,argmax $name.npy)" "$("$build/jitreduce" -q -p sum,argmax "little.npz:$name")"
    same "member $name, its products" "$("$build/jitreduce" -q --op dot -t i32 --accumulate i64 $name.npy -y swapped.npy)" \
        "$("$build/jitreduce" -q --op dot -t i32 --accumulate i64 "little.npz:$name" -y swapped.npy)"
done
same "a scan of a member" "$("$build/jitreduce" scan -q -n 3000 columns.npy)" "$("$build/jitreduce" scan -q -n 3000 little.npz:columns)"
gzip -1 -k plain.npy swapped.npy
same "an input that is shorter" "jitreduce: -y array.packed: has 131072 elements or more, but x has 3 " "$({ array 3 && zeros 24; } | within "$half" --op dot - -y array.packed)"
same "elements between" "$("$build/jitreduce" -q --op dot --accumulate i64 plain.npy -y swapped.npy --offset 5 --count 1400000)" \
    "$("$build/jitreduce" -q --op dot --accumulate i64 plain.npy.gz -y swapped.npy.gz --offset 5 --count 1400000)"
for damage in checksum:"a member's checksum is another" fewer:"it says that the member has 1000 bytes, but it has more" \
    more:"it says that the member has 4026531840 bytes, but it has fewer"; do
    file=${damage%%:*}.npz
    same "a sum of $file" "jitreduce: $file:plain: the archive is damaged: ${damage#*:} " "$(within "$half" "$file:plain")"
    same "a scan of $file" "jitreduce: $file:plain: the archive is damaged: ${damage#*:} " "$(within "$half" scan "$file:plain")"
done

# What is kept in memory has a limit.
bomb="and more than 32 times its [0-9]* packed bytes, and all of it would be kept in memory: unpack it first, as zcat and zstd -dc do "
for file in array.packed giga.npz:rows giga.npz:columns; do
    for way in scan "--segments 8" "--axis 0"; do
        # shellcheck disable=SC2086  # several words
        same "$file, $way" kept "$(within 900000 $way "$file" | sed "s/^jitreduce: $file: unpacks to more than 256 MiB $bomb\$/kept/")"
    done
done
yes 1 | head -n 60000000 | gzip -1 >text.gz
same "a packed text that is reduced" "60000000 " "$(within 600000 text.gz)"

# Headers that lie: found from the header alone, or after as much data as that takes.
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
