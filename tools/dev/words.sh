#!/usr/bin/env bash
# Finds turns of phrase that slow a reader down, in what users read (README, manual, public headers, texts of the command
# and messages of the library, docstrings, examples) and in comments. Prints each with its place; status 1 when there is any.
# usage: words.sh [--count]      --count: how often each pattern occurs, instead of the lines
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1

# A name, a pattern of grep -P (^: the beginning of a text; a last \t$: in comments only), and what to write instead.
patterns() {
    cat <<'END'
genitive	(^|[.;:!?] )(Of|That of|Those of|As of|As that of) [^.;:]*[,:]	begin with the subject: "A plan with one result per element writes ..."
genitive	\b[Oo]f (run|replay|reduce|scans?|apply|bench|compare|tune|pack|trace|compare|info|var and std|type): 	"for `run`: ..."
told	\b(told|tells|tell)\b	report, print, show, log, say which
left-out	(^|[;(.,] ?)[Ll]eft out\b	default: ...
none	\b(is|are|was|be) none\b	out of range, unknown, not one of, missing
private	\b(likewise|anew|gets there|comes to|goes on)\b	also, again, reaches, is, continues
behind	\b(behind|in front of)\b	after, before
beside	\b(stand|stands|stood|lies|lie|standing) beside\b	next to, with
per	\ba (result|line|value|state|lane|thread|block|row|call) an? [a-z]+\b	one result per segment
order	\bbeside\b.*\t$	next to, besides, in addition to, compared with
order	\b[Aa]s of\b.*\t$	see, as in, as for
default	\b[Ll]eft out\b.*\t$	skipped, omitted, default: ...
vague	wanted most|prefix results|kernels of before|aligned to nothing	common options; running results; measured with an earlier version; no alignment required
END
}

# Lines of text, each after its place and a tab. Block comments of headers lose their stars.
texts() {
    local pages=(README.md include/CHANGES.md tools/examples/README.md tools/python/README.md tools/bench/RESULTS.md)
    grep -nH '' "${pages[@]}" include/manual/*.md
    grep -nHE '^ *\*|/\*' include/jitreduce.h include/jitreduce.hpp include/jitreduce/*.h include/jitreduce/cpp/*.hpp
    find src tools/jitreduce tools/mpi tools/python -name '*.c' -not -path 'src/sim/*' -print0 | LC_ALL=C sort -z |
        xargs -0 grep -nHoE '"([^"\\]|\\.)*"' src/base/settings.h | grep -v '\.h"$'
    awk '/"""/ {n = gsub(/"""/, "\"\"\""); print FILENAME ":" FNR ":" $0; on = n == 2 ? on : !on; next} on {print FILENAME ":" FNR ":" $0}' \
        tools/python/jitreduce/*.py
    grep -nHoP '(?<!")"(?!")([^"\\]|\\.)*"(?!")' tools/python/jitreduce/*.py tools/python/jitreduce/*.pyi # no docstrings: above
    grep -nHE '/\*|^ \*|//|^ *#|"""' tools/examples/*.c tools/examples/*.cu tools/examples/*.py
    grep -nHoE '"([^"\\]|\\.)*"' tools/examples/*.c tools/examples/*.cu tools/examples/*.py | grep -v '\.h"$'
}

# The comments of all rooms, one per line, each between its place with a tab and a last tab. tests/abi has headers of
# versions that were published: they stay as they are.
comments() {
    local skip=(-path tests/abi -o -path '*/__pycache__')
    # shellcheck disable=SC2016  # $0 is awk's
    find src kernels_src tests tools \( "${skip[@]}" \) -prune -o -type f \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) -print0 |
        LC_ALL=C sort -z | xargs -0r awk '
        FNR == 1 {inside = 0}
        {text = $0; found = inside}
        !inside {
            gsub(/"([^"\\]|\\.)*"/, "\"\"", text)
            gsub(/\047(\\.|[^\047\\])\047/, "", text)
            found = match(text, /\/\/|\/\*/)
            if (!found) next
            inside = substr(text, RSTART, 2) == "/*"
            text = substr(text, RSTART + 2)
        }
        {
            if (inside && (end = index(text, "*/"))) {text = substr(text, 1, end - 1); inside = 0}
            sub(/^[ \t]*\*?[ \t]*/, "", text)
            print FILENAME ":" FNR "\t" text "\t"
        }'
    find src kernels_src tests tools \( "${skip[@]}" \) -prune -o -type f \( -name '*.sh' -o -name '*.py' \) -print0 |
        LC_ALL=C sort -z | xargs -0r grep -nHoP '^\s*# ?\K.*' | sed -E 's/^([^:]*:[0-9]+):(.*)/\1\t\2\t/'
}

found=$(mktemp)
trap 'rm -f "$found"' EXIT
texts 2>/dev/null | sed -E 's/^([^:]*:[0-9]+):[ \t]*("|\/\* ?|\* ?|# ?|- |"""|\| )?/\1\t/' >"$found"
comments >>"$found"
status=0
while IFS=$'\t' read -r name pattern better; do
    lines=$(grep -P "^[^\t]*\t.*(?:${pattern//(^|/((?<=\\t)|})" "$found") || continue
    status=1
    if [ "${1:-}" = --count ]; then
        printf '%6d %-9s %s\n' "$(wc -l <<<"$lines")" "$name" "$better"
    else
        sed "s|\t$||; s|\t|: $name: |; s|^|words.sh: |" <<<"$lines"
    fi
done < <(patterns)
exit "$status"
