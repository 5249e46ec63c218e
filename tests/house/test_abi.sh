#!/usr/bin/env bash
# Plants changes in a copy of the headers: tests/abi must find what would break a program of an older version, and
# accept what versions may add.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
if ! command -v abidiff >/dev/null; then
    skip "all changes" "abidiff is missing (apt-get install abigail-tools)"
    finish
    exit
fi
make_work

# change HEADER SED: a change by sed in a copy of the headers, which must change something.
change() {
    cp "$work/include/jitreduce/$1" "$work/before"
    sed -i -E "$2" "$work/include/jitreduce/$1"
    if cmp -s "$work/before" "$work/include/jitreduce/$1"; then echo "nothing is changed: $2" && return 2; fi
}
fresh() { rm -rf "$work/include" && cp -r include "$work/include"; }
# compare NAME HEADER SED: what is said of one change.
compare() { fresh && change "$2" "$3" && tests/abi/compare.sh include "$work/include" 2>&1; }
breaks() { check "$1 is told" told "$@"; }
told() { ! said=$(compare "$@") && [[ $said == *"$4"* ]]; }
allows() { check "$1: it is a change" change "$2" "$3"; }

fresh
allows "a member behind the last" reduce.h 's/^\} jr_spec;/    uint64_t more;\n&/'
allows "a member behind a last array" tune.h 's/^\} jr_wisdom_info;/    uint64_t more[2][3];\n&/'
allows "a type's number behind the last" types.h 's/JR_STRUCT = 100 /&, JR_MORE = 200 /'
allows "a function" types.h 's/^JR_API const char \*jr_version/JR_API int jr_more(void);\n&/'
check "all of these are allowed" tests/abi/compare.sh include "$work/include"
breaks "a member between others" reduce.h 's/^    double ddof;/    uint64_t more;\n&/' "jr_spec"
breaks "a member less" segment.h 's/^    size_t axis_count;.*//' "jr_axis"
breaks "members in another order" segment.h 's/^    int dimensions;( .*JR_DIMENSIONS_MAX)/    int axis;\1/;s/^    int axis;( .*-1 is)/    int dimensions;\1/' "jr_axis"
breaks "a member of another type" reduce.h 's/^    double ddof;/    float ddof;/' "jr_spec"
breaks "a limit that gives a member its length" reduce.h 's/JR_OPS_MAX = 8/JR_OPS_MAX = 9/' "jr_result_layout"
breaks "a member more in a struct without a size" reduce.h 's/^\} jr_parameter;/    int more;\n&/' "jr_parameter"
breaks "an operator's number" types.h 's/XX\(MIN, 3,/XX(MIN, 33,/' "jr_op"
breaks "a function's type" types.h 's/^JR_API size_t jr_type_size/JR_API int jr_type_size/' "jr_type_size"
breaks "a callback's type" status.h 's/\(\*jr_log_callback\)\(void \*user/(*jr_log_callback)(long user/' "jr_log_callback"
breaks "an end in padding" reduce.h 's/^\} jr_result_layout;/    int more;\n&/' "jr_result_layout ends in padding"
finish
