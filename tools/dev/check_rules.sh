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
    { c_files | grep -v '^include/' && kernels && find tools tests -name '*.sh'; } | xargs -r wc -l |
        awk '$2 != "total" && $1 > 300 {print $2 ": " $1 " lines; 300 is the limit"}'
    grep -cvE '^ ?/?\*' include/jitreduce.h include/jitreduce/*.h |
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

# Includes follow the data flow: a file includes its own folder and those to its left. The simulator's rooms are a line
# of their own: base < ptx < exec < driver.
includes() {
    local parts=(base loader program image device kernel reduce tune group api) allowed="" part
    for part in "${parts[@]}"; do
        allowed="$allowed $part"
        include_check "src/$part" "$allowed jitreduce"
    done
    include_check src/sim/ptx "base jitreduce"
    include_check src/sim/exec "sim/ptx base jitreduce"
    include_check src/sim/driver "sim/exec sim/ptx base jitreduce"
    grep -nE '#include "loader/' src/sim/*/*.[ch] /dev/null | grep -v 'loader/cuda_abi.h' | sed 's/$/  (sim may include cuda_abi.h only)/'
    grep -nE '#include "jitreduce/(reduce|plan|scan|segment|measure|tune|group)\.h"' src/{base,loader,image,device,kernel}/*.[ch] |
        sed 's/$/  (kernels and devices know nothing of reductions)/'
    grep -nE '#include ["<](sim|base|loader|program|image|device|kernel|reduce|tune|group|api)/' tools/jitreduce/*.[ch] /dev/null |
        sed 's/$/  (the command may use the public headers only)/'
    c_files | xargs -r grep -nE '#include <(cuda|nvrtc)' | sed 's/$/  (no CUDA header is needed to build)/'
}

# include_check FOLDER ALLOWED: "x/y.h" only with x allowed; "y.h" only when it lies beside the file or is jitreduce.h.
include_check() {
    local file path
    for file in "$1"/*.[ch]; do
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r path; do
            case $path in
            abi.h) [[ " $2 " == *" program "* ]] || echo "$file: includes $path, which lies to its right" ;;
            jitreduce.h | loader/cuda_abi.h) [ "$path" = jitreduce.h ] || [[ " $2 " == *" loader "* ]] ||
                [[ $1 == src/sim/* ]] || echo "$file: includes $path, which lies to its right" ;;
            */*) [[ " $2 " == *" ${path%/*} "* ]] || echo "$file: includes $path, which lies to its right" ;;
            *) [ -e "$1/$path" ] || echo "$file: includes $path, which is not in its folder" ;;
            esac
        done
    done
}

# The rooms of the kernels: a room includes itself and what its line names, always by "room/file"; besides these two,
# which the library writes for a kernel.
kernel_rooms() {
    local written=" declarations.cuh expressions.cuh "
    kernels | grep -vE '^kernels_src/(abi(_segments)?\.h|[a-z]+/[a-z_]+\.cuh?)$' | sed 's/$/: a kernel file outside the rooms of kernels_src/'
    room_check core "core abi.h"
    room_check operators "operators core"
    room_check fold "fold operators core"
    room_check reduce "reduce fold operators core"
    room_check scan "scan fold operators core"
    room_check segmented "segmented fold operators core"
    room_check exact "exact segmented reduce fold operators core"
    room_check jitreduce "jitreduce operators core"
}

# room_check ROOM ALLOWED
room_check() {
    local file path
    for file in "kernels_src/$1"/*; do
        sed -n 's/^ *# *include "\([^"]*\)".*/\1/p' "$file" | while read -r path; do
            [[ $written == *" $path "* ]] && continue
            [ -e "kernels_src/$path" ] || echo "$file: includes $path, which is not in kernels_src"
            [[ " $2 " == *" ${path%%/*} "* ]] || echo "$file: includes $path, which is in no room that $1 may use"
        done
    done
}

# Line one of every file says its job.
first_lines() {
    local file first
    { c_files && kernels; } | while read -r file; do
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
    grep -rnE '\b(secure_)?getenv *\(' src tools/jitreduce --include='*.[ch]' | grep -vE '^(src/base|tools/jitreduce)/settings\.c:' |
        sed 's/$/  (only a settings.c reads the environment)/'
    library | xargs -r grep -nE '\b(v?f?printf|puts|fputs|putchar|perror|_?exit|abort|assert) *\(' /dev/null | code_lines |
        sed 's/$/  (the library never prints, exits or aborts)/'
    find src/sim -name '*.[ch]' -print0 | xargs -0 -r grep -nE '\b(_?exit|abort|assert) *\(' /dev/null | code_lines |
        sed 's/$/  (the simulator never exits or aborts)/'
}

# Drops grep's matches that stand in a comment or a format attribute.
code_lines() { grep -vE '^[^:]*:[0-9]*: *(/?\*|//)|format\(printf|/\*.*\b[a-z_]+ *\(.*\*/'; }

# A public function's comment has one item a line: what it does, each argument, Returns (unless that is a jr_status), Owns,
# Threads, Errors, Since. The object that a function works on needs no line. Errors names another function's list ("those
# of jr_plan_create") only where that list is complete. A declaration right below another shares its comment.
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

{ sizes; includes; kernel_rooms; first_lines; words; public_comments; } >"$breaches" 2>&1
cat "$breaches"
[ ! -s "$breaches" ]
