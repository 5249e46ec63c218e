#!/usr/bin/env bash
# Holds the tree to the rules of the house that no compiler knows; prints each breach, and 1 when there is any.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
shopt -s nullglob
breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT

c_files() { find include src tools tests -name '*.[ch]' | LC_ALL=C sort; }
kernels() { find kernels_src -name '*.cu' -o -name '*.cuh' -o -name '*.h' | LC_ALL=C sort; }
library() { find src -name '*.[ch]' -not -path 'src/sim/*' | LC_ALL=C sort; }

# Sizes: a file under 300 lines, a function of at most 60 lines and 6 parameters, a Makefile under 250. Lines of a public
# header's comments do not count: they are a contract with one item a line, which must not be cut to fit.
# The driver API's own functions in the simulator have as many parameters as the driver gave them.
sizes() {
    { c_files | grep -vE '^(include|tests/abi/[0-9.]+/include)/' && kernels && find tools tests -name '*.sh'; } | xargs -r wc -l |
        awk '$2 != "total" && $1 > 300 {print $2 ": " $1 " lines; 300 is the limit"}'
    grep -cvE '^ ?/?\*' include/jitreduce.h include/jitreduce.hpp include/jitreduce/*.h include/jitreduce/cpp/*.hpp tests/cpp/*.[ch]pp |
        awk -F: '$2 > 300 {print $1 ": " $2 " lines; 300 is the limit"}'
    awk 'END {if (NR >= 250) print "Makefile: " NR " lines; under 250 is the rule"}' Makefile
    c_files | grep '\.c$' | xargs -r ctags --languages=C --kinds-C=f --fields=+neS -o - 2>/dev/null | awk -F'\t' '
        {
            first = last = 0
            signature = ""
            for (i = 4; i <= NF; i++) {
                if ($i ~ /^line:/) first = substr($i, 6)
                if ($i ~ /^end:/) last = substr($i, 5)
                if ($i ~ /^signature:/) signature = substr($i, 11)
            }
            if (last - first + 1 > 60) print $2 ":" first ": " $1 " has " last - first + 1 " lines; 60 is the limit"
            while (match(signature, /\([^()]*\)[^()]*\)/)) sub(/\([^()]*\)/, "", signature) # parameters of parameters
            if (gsub(/,/, ",", signature) + 1 > 6 && $1 !~ /^cu[A-Z]/)
                print $2 ":" first ": " $1 " has more than 6 parameters"
        }'
}

# Includes follow the data flow: a file includes its own room and those to its left. Rooms with a colon, next to each
# other, do not know each other, but for those that are named after the colon.
includes() {
    line_of_rooms src base loader expression spec program headers pch image device link kernel plan plan/flat: plan/scan: plan/segments: \
        plan/apply: plan/many: plan/merge:plan/segments host exact wisdom tune group group/reduce group/scan: group/segments: \
        group/allreduce:group/segments api
    line_of_rooms src base sim/ptx sim/ptx/module sim/exec/memory sim/exec sim/exec/judge sim/exec/observe sim/exec/instructions sim/native sim/exec/scheduler \
        sim/driver sim/driver/calls
    line_of_rooms tools/jitreduce base options parse io plot npy: text: fold input reduce many bench: compare: tune: run: trace: command
    find src/sim -name '*.[ch]' -print0 | xargs -0 grep -nE '#include "loader/' | grep -v 'loader/cuda_abi.h' |
        sed 's/$/  (sim may include cuda_abi.h only)/'
    grep -nE '#include "jitreduce/(reduce|plan|scan|segment|measure|tune|group)\.h"' src/{base,loader,image,device,kernel}/*.[ch] |
        sed 's/$/  (kernels and devices know nothing of reductions)/'
    find tools/jitreduce -name '*.[ch]' -print0 | xargs -0 grep -nE '#include ["<][a-z_]+/' | while IFS= read -r line; do
        path=${line#*include [\"<]} path=${path%[\">]*}
        case $line in
        *'"'*) [[ $path == jitreduce/* ]] || [ -e "tools/jitreduce/$path" ] ;;
        *) [ ! -e "src/$path" ] ;;
        esac || echo "$line  (the command may use the public headers only)"
    done
    c_files | xargs -r grep -nE '#include <(cuda|nvrtc)' | sed 's/$/  (no CUDA header is needed to build)/'
}

# line_of_rooms ROOT ROOM...: the rooms of ROOT from left to right.
line_of_rooms() {
    local root=$1 room left="" apart="" known
    for room in "${@:2}"; do
        case $room in
        *:*) known="$left ${room#*:}" apart="$apart ${room%%:*}" ;;
        *) left="$left$apart $room" apart="" known=$left ;;
        esac
        include_check "$root" "${room%%:*}" " $known ${room%%:*} jitreduce "
    done
    local named=("${@:2}")
    line_rooms+=("${named[@]/#/$root/}")
}

# include_check ROOT ROOM ALLOWED: "x/y.h" only with x allowed; "y.h" only when it is in the file's own folder or is a
# header of both sides: jitreduce.h, and abi.h (abi_views.h), which src/program and the rooms after it know.
include_check() {
    local file path
    for file in "$1/$2"/*.[ch]; do
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r path; do
            case $path in
            abi.h | abi_views.h) [[ $3 == *" spec "* ]] || echo "$file: includes $path, which lies to its right" ;;
            jitreduce.h) ;;
            loader/cuda_abi.h) [[ $2 == sim/* || $3 == *" loader "* ]] || echo "$file: includes $path, which lies to its right" ;;
            */*) [[ $3 == *" ${path%/*} "* ]] || echo "$file: includes $path, which lies to its right" ;;
            *) [ -e "$1/$2/$path" ] || echo "$file: includes $path, which is not in its folder" ;;
            esac
        done
    done
}

# The rooms of the kernels: a room includes itself and what its line names, always by "room/file"; besides these two,
# which the library writes for a kernel.
kernel_rooms() {
    local written=" declarations.cuh expressions.cuh " base="operators core" room
    room_check core "abi.h"
    room_check operators "core"
    room_check fold "$base"
    room_check reduce "fold $base"
    room_check scan/common "fold $base"
    for room in queue ring rows; do room_check scan/$room "scan/common fold $base"; done
    room_check scan/views "abi_views.h scan/queue scan/rows scan/common fold $base"
    room_check segmented/common "fold $base"
    for room in equal ragged strided join; do room_check segmented/$room "segmented/common fold $base"; done
    room_check segmented/axes "segmented/join segmented/common fold $base"
    room_check segmented/views "abi_views.h segmented/join segmented/common fold $base"
    room_check segmented/tree "segmented/axes segmented/common fold $base"
    room_check apply "fold $base"
    room_check many "apply reduce fold $base"
    room_check exact "segmented/common fold $base"
    room_check jitreduce "$base"
}

# room_check ROOM ALLOWED
room_check() {
    local file path
    kernel_rooms_seen="$kernel_rooms_seen $1 "
    for file in "kernels_src/$1"/*.*; do
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r path; do
            [[ $written == *" $path "* ]] && continue
            [ -e "kernels_src/$path" ] || echo "$file: includes $path, which is not in kernels_src"
            [[ " $1 $2 " == *" ${path%/*} "* ]] || echo "$file: includes $path, which is in no room that $1 may use"
        done
    done
}

# Every file lies in a room of the lines above; a room has at most 36 files; no name stands twice.
rooms() {
    local line_rooms=() kernel_rooms_seen="" folder
    includes
    kernel_rooms
    { find src tools/jitreduce -name '*.[ch]' && kernels; } | sed 's|/[^/]*$||' | sort -u | while read -r folder; do
        case $folder in
        kernels_src) find kernels_src -maxdepth 1 -name '*.*' | grep -vE '/(abi(_segments|_views)?\.h|README\.md)$' | sed 's/$/: a kernel file outside the rooms of kernels_src/' ;;
        kernels_src/*) [[ $kernel_rooms_seen == *" ${folder#kernels_src/} "* ]] || find "$folder" -maxdepth 1 -name '*.*' | sed 's/$/: a kernel file outside the rooms of kernels_src/' ;;
        *) [[ " ${line_rooms[*]%%:*} " == *" $folder "* ]] || find "$folder" -maxdepth 1 -name '*.[ch]' | sed 's/$/: a file outside the rooms/' ;;
        esac
    done
    find src kernels_src tools/jitreduce tests/support -type f | sed 's|/[^/]*$||' | sort | uniq -c |
        awk '$1 > 36 {print $2 ": " $1 " files; a room has at most 36"}'
    find src kernels_src tools \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) | LC_ALL=C sort | awk -F/ '
        $NF in first {print $0 ": its name stands twice: " first[$NF]; next}
        {first[$NF] = $0}'
}

# Line one of every file says its job.
first_lines() {
    local file first
    { c_files && kernels && find include tests -name '*.[ch]pp'; } | while read -r file; do
        first=$(head -c 3 "$file")
        case $first in "/* " | "// ") ;; *) echo "$file: line one is no comment that says the file's job" ;; esac
    done
    find tools tests .ci -name '*.sh' -o -path .ci/run | while read -r file; do
        head -n 2 "$file" | grep -q '^# ' || echo "$file: no comment at the top says the file's job"
    done
}

# Words and calls that have no place.
words() {
    local open_work='\b(TO''DO|FIX''ME|XX''X)\b'
    { c_files && kernels; } | xargs -r grep -nE "$open_work" /dev/null | sed 's/$/  (finish it)/'
    grep -rnE '\b(secure_)?getenv *\(' src tools/jitreduce --include='*.[ch]' | grep -vE '^(src/base/settings|tools/jitreduce/base/cli_settings)\.c:' |
        sed 's/$/  (only a settings.c reads the environment)/'
    library | xargs -r grep -nE '\b(v?f?printf|puts|fputs|putchar|perror|_?exit|abort|assert) *\(' /dev/null | code_lines |
        sed 's/$/  (the library never prints, exits or aborts)/'
    find src/sim -name '*.[ch]' -print0 | xargs -0 -r grep -nE '\b(_?exit|abort|assert) *\(' /dev/null | code_lines |
        sed 's/$/  (the simulator never exits or aborts)/'
}

# Drops grep's matches that stand in a comment or a format attribute.
code_lines() { grep -vE '^[^:]*:[0-9]*: *(/?\*|//)|format\(printf|/\*.*\b[a-z_]+ *\(.*\*/'; }

# A test that says whether something was compiled has a cache folder of its own (tools/dev/run_tests.sh).
own_caches() {
    {
        grep -lE '[.>]compiles\b|JR_ORIGIN_(COMPILED|DISK|PACK)|\bpack_open\(' tests/{unit,device,regress}/*.c /dev/null
        grep -lE '^("(compiled|disk hit)"|(kernel|because) .*(compile|(disk|pack) hit))' tests/cli/*.case /dev/null
    } | xargs -r grep -LE '^(/\*|#) cache: own' | sed "s/$/: says what was compiled, without the line 'cache: own'/"
}

# Some code reads each setting of the table: src by the setting's id, not only its variable for a message, or the command
# by value_of("VARIABLE").
settings() {
    local id variable read_ids
    read_ids=$(find src -name '*.c' -print0 | xargs -0 sed 's/jr_setting_variable([A-Z_]*)//g' | grep -ow 'JR_SETTING_[A-Z_]*' | sort -u | xargs)
    sed -nE 's/^ *XX\(([A-Z_]+), ("[A-Z_]+"), .*/\1 \2/p' src/base/settings.h | while read -r id variable; do
        [[ " $read_ids " == *" JR_SETTING_$id "* ]] || grep -qF "value_of($variable)" tools/jitreduce/base/cli_settings.c ||
            echo "src/base/settings.h: $id: no code reads the setting $variable"
    done
}

# A public function's comment has one item a line: what it does, each argument, Returns (unless that is a jr_status), Owns,
# Threads, Errors, Since. The object that a function works on needs no line. Errors names another function's list ("those
# of jr_work_plan_create") only where that list is complete. A declaration right below another shares its comment.
public_comments() {
    awk '
        function breach(text) { print FILENAME ":" at ": " name ": its comment " text }
        function has(item) { return comment ~ "\n \\* " item ": " }
        function declared(    list, i, count, argument, words) {
            at = FNR
            match(declaration, /jr_[a-z0-9_]*\(/)
            name = substr(declaration, RSTART, RLENGTH - 1)
            where[name] = FILENAME ":" FNR
            list = substr(declaration, RSTART + RLENGTH)
            sub(/\) *(;|\{).*/, "", list)
            count = split("Owns Threads Errors Since", words, " ")
            for (i = 1; i <= count; i++) if (!has(words[i])) breach("lacks \"" words[i] ":\"")
            if (declaration !~ /^JR_API (jr_status|void) jr_/ && declaration !~ /^static/ && !has("Returns"))
                breach("lacks \"Returns:\"")
            count = split(list, words, ",")
            for (i = 1; i <= count; i++) {
                argument = words[i]
                if (argument ~ /^ *void *$/) continue
                if (i == 1 && argument ~ /jr_(context|plan|group_plan|group|kernel|exact_state|allreduce|pack) \*[a-z]+$/) continue
                sub(/.*[ *]/, "", argument)
                if (comment !~ "\n \\* ([a-z_]+, )*" argument "(, [a-z_]+)*: ")
                    breach("has no line \"" argument ":\"")
            }
            errors[name] = comment
            sub(/.*\n \* Errors: /, "", errors[name])
            sub(/\n \* Since: .*/, "", errors[name])
        }
        FNR == 1 {comment = ""; inside = 0}
        /^\/\*/ {comment = ""; inside = 1}
        inside {comment = comment "\n" $0; if (/\*\//) inside = 0; next}
        /^JR_API / {declaration = ""; open = 1}
        open {declaration = declaration " " $0; if (/;$/) {open = 0; sub(/^ /, "", declaration); gsub(/  +/, " ", declaration); declared()}}
        /^$/ {comment = ""}
        END {
            for (name in errors) {
                text = errors[name]
                while (match(text, /those of jr_[a-z_]+( and jr_[a-z_]+)?/)) {
                    named = substr(text, RSTART + 9, RLENGTH - 9)
                    text = substr(text, RSTART + RLENGTH)
                    count = split(named, parts, " and ")
                    for (i = 1; i <= count; i++)
                        if (!(parts[i] in errors) || errors[parts[i]] ~ /those of jr_/)
                            print where[name] ": " name ": its errors are those of " parts[i] ", whose list is not complete"
                }
            }
        }' include/jitreduce/*.h
}

{ sizes; rooms; first_lines; words; own_caches; settings; public_comments; } >"$breaches" 2>&1
cat "$breaches"
[ ! -s "$breaches" ]
