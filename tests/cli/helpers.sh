# Words for the commands of the golden tests; run.sh has every command read them.
# shellcheck shell=bash

# npy VERSION DICTIONARY BYTES: prints an .npy file; BYTES as printf takes them (\x01).
npy() {
    local length=${#2} more=
    if [ "$1" != 1 ]; then more='\x00\x00'; fi
    printf '\x93NUMPY'
    # shellcheck disable=SC2059  # the formats are made here
    printf "\\x$(printf '%02x' "$1")\\x00\\x$(printf '%02x' $((length % 256)))\\x$(printf '%02x' $((length / 256)))$more"
    printf '%s' "$2"
    # shellcheck disable=SC2059  # the caller's bytes are a format
    printf "$3"
}

# times: puts N in the place of measured times and rates, and D in that of the device's name.
times() {
    sed -E -e 's/[0-9]+\.[0-9]+ (ms|GB\/s)/N \1/g' -e 's/^device     .*/device     D/'
}

# json KEY...: parses standard input as one JSON object, strictly, and prints the values of the keys ("stats.kernel").
json() {
    if command -v python3 >/dev/null; then
        python3 -c '
import json, sys
whole = json.load(sys.stdin, parse_constant=lambda word: sys.exit("no JSON: " + word))
for path in sys.argv[1:]:
    value = whole
    for key in path.split("."):
        value = value[int(key)] if isinstance(value, list) else value[key]
    print(json.dumps(value))' "$@"
    else
        perl -MJSON::PP -e '
            my $whole = JSON::PP->new->allow_bignum->allow_nonref->decode(join "", <STDIN>);
            for my $path (@ARGV) {
                my $value = $whole;
                $value = ref $value eq "ARRAY" ? $value->[$_] : $value->{$_} for split /\./, $path;
                print JSON::PP->new->allow_bignum->allow_nonref->canonical->encode($value), "\n";
            }' "$@"
    fi
}

# find_numpy: prints a Python that has NumPy: the user's own may hide Debian's.
find_numpy() {
    local python
    for python in python3 /usr/bin/python3; do
        if "$python" -c 'import numpy' 2>/dev/null; then echo "$python" && return; fi
    done
    return 1
}

# preloads BUILD: prints the assignments (words of env) with which a program that was built without a sanitizer can open
# the library of a build folder. Whatever Python leaks is its own.
preloads() {
    ldd "$1/libjitreduce.so" |
        awk '/lib[at]san/ {print "LD_PRELOAD=" $3, "ASAN_OPTIONS=detect_leaks=0:intercept_tls_get_addr=0:protect_shadow_gap=0"}'
}

# numpy PROGRAM: runs a program of Python; np is NumPy. run.sh has found $NUMPY once.
numpy() { "$NUMPY" -c "import numpy as np; $1"; }

# build_peer SOURCE FILE.so FLAG...: builds a peer that is this library itself with these flags.
build_peer() {
    local source=$1 file=$2 here build
    here=$(dirname "$HELPERS")
    build=$(dirname "$(readlink -f "$(command -v jitreduce)")")
    shift 2
    "${CC:-gcc}" -std=c11 -shared -fPIC "$@" -I"$here/../../include" -I"$here/../../tools/jitreduce" -o "$file" \
        "$here/$source" -L"$build" -Wl,-rpath,"$build" -ljitreduce
}

# peer FILE.so FLAG..., group_peer FILE.so FLAG...: of one device, and of a group.
peer() { build_peer peer_self.c "$@"; }
group_peer() { build_peer peer_group.c "$@"; }

# peer_cccl FILE.so: builds the peer that opens CCCL's C library, as its first comment says.
peer_cccl() {
    local root
    root=$(dirname "$HELPERS")/../..
    "${CC:-gcc}" -std=c11 -O2 -shared -fPIC -I"$root/tools/jitreduce" -o "$1" "$root/tools/bench/peer_cccl_c.c" -ldl
}

# columns NAME...: prints these columns of the CSV on standard input, without comments.
columns() {
    awk -F, -v names="$*" '
        /^#/ {next}
        !count {count = split(names, wanted, " "); for (i = 1; i <= NF; i++) at[$i] = i; next}
        {line = ""; for (i = 1; i <= count; i++) line = line (i > 1 ? "," : "") $(at[wanted[i]]); print line}'
}
