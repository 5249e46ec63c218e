#!/usr/bin/env bash
# Lists circles of files that include each other or call each other's functions; 1 when there is any. usage: circles.sh
# BUILD_FOLDER [FOLDER...] folders such as src/sim; default: all of src and tools/jitreduce
#
# A file is NAME.c and NAME.h together. Includes are read from the text, calls from the object files. A table may name
# functions whose file calls the table's: an address in a row is no call.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
build=$1
shift
if [ $# = 0 ]; then set -- src tools/jitreduce; fi

# "from to" for each include of a file of this tree
includes() {
    grep -rnoE '^ *# *include "[^"]+"' "$@" --include='*.[ch]' | while IFS=: read -r file _ directive; do
        path=${directive#*\"} path=${path%\"}
        for target in "${file%/*}/$path" "src/$path" "tools/jitreduce/$path"; do
            if [ -e "$target" ]; then
                echo "${file%.[ch]} ${target%.[ch]}"
                break
            fi
        done
    done
}

# "from to" for each call of another object's function: by the relocations of calls on x86-64 and AArch64
# (readelf looks at all of them in one process: two for each took a minute)
calls() {
    find "${@/#/$build/obj/}" -name '*.o' -print0 | LC_ALL=C xargs -0 -r readelf -srW /dev/null 2>/dev/null | awk -v objects="$build/obj/" '
        /^File: / {source = substr($2, length(objects) + 1, length($2) - length(objects) - 2); next}
        $4 == "FUNC" && ($5 == "GLOBAL" || $5 == "WEAK") && $7 != "UND" {home[$8] = source; next}
        $3 ~ /^R_(X86_64_PLT32|AARCH64_(CALL|JUMP)26)$/ {from[++count] = source; name[count] = $5}
        END {for (i = 1; i <= count; i++) if (name[i] in home) print from[i], home[name[i]]}' |
        while read -r from to; do if [ -e "$from.c" ] && [ -e "$to.c" ]; then echo "$from $to"; fi; done
}

# Strongly connected files, a circle a line: each is reached from itself through others.
circles() {
    LC_ALL=C sort -u | awk '
        $1 != $2 {next_of[$1] = next_of[$1] " " $2; if (!($1 in seen)) {seen[$1]; order[++files] = $1}}
        function reach(from, found,    queue, head, tail, parts, n, i) {
            queue[head = tail = 1] = from
            for (; head <= tail; head++) {
                n = split(next_of[queue[head]], parts, " ")
                for (i = 1; i <= n; i++) if (!(parts[i] in found)) {found[parts[i]]; queue[++tail] = parts[i]}
            }
        }
        END {
            for (i = 1; i <= files; i++) {
                split("", found)
                reach(order[i], found)
                for (file in found) reaches[order[i], file]
            }
            for (i = 1; i <= files; i++) {
                if (!((order[i], order[i]) in reaches) || order[i] in told) continue
                line = ""
                for (j = i; j <= files; j++)
                    if ((order[i], order[j]) in reaches && (order[j], order[i]) in reaches) {
                        line = line (line == "" ? "" : " ") order[j]
                        told[order[j]]
                    }
                print line
            }
        }'
}

found=$({ includes "$@"; calls "$@"; } | circles)
if [ -z "$found" ]; then exit 0; fi
printf 'a circle: %s\n' "${found//$'\n'/$'\na circle: '}"
exit 1
