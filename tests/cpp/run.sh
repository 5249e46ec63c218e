#!/usr/bin/env bash
# The C++ header: it compiles clean with each compiler and standard, its programs run, and what must not compile does not.
# shellcheck disable=SC2086  # flags are several words
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/house/say.sh
. tests/house/say.sh
build=$(cd "${JR_TEST_BUILD:?}" && pwd)
make_work
warnings="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wold-style-cast -Werror -Iinclude"

sanitize=
for kind in address undefined thread; do
    if [[ $(readelf -d "$build/libjitreduce.so") =~ lib${kind:0:1}[a-z]*san\.so ]]; then sanitize=-fsanitize=$kind; fi
done
link="-pthread $sanitize -L$build -Wl,-rpath,$build -ljitreduce"

# Each compiler with each standard; make check-whole: every version that is installed.
compilers=$(printf '%s\n' g++ clang++)
if whole; then compilers=$(compgen -c | grep -xE '(g|clang)\+\+(-[0-9]+)?' | sort -u); fi
pairs=()
for compiler in $compilers; do
    if command -v "$compiler" >/dev/null; then pairs+=("$compiler 17" "$compiler 20" "$compiler 2b"); else skip "$compiler" "it is not installed"; fi
done

compiles() { ${1% *} -std=c++${1#* } $warnings "${@:2}" -fsyntax-only; }

# ---- no warnings ----
twice() { printf '#include "%s"\n#include "%s"\nint main() {}\n' "$1" "$1" >"$work/twice.cpp"; }
for header in $(cd include && echo jitreduce/cpp/*.hpp); do
    twice "$header"
    check "$header compiles alone" compiles "g++ 17" "$work/twice.cpp"
done
twice jitreduce.hpp
turn=0
programs=(tests/cpp/test_*.cpp)
for pair in "${pairs[@]}"; do
    if whole; then check "jitreduce.hpp compiles by $pair" compiles "$pair" "$work/twice.cpp"; fi
    if whole || [ "$pair" = "g++ 17" ] || [ "$pair" = "clang++ 2b" ]; then
        check "jitreduce.hpp compiles by $pair without exceptions and run-time types" compiles "$pair" -fno-exceptions -fno-rtti "$work/twice.cpp"
    fi
    # A program by each pair, the next one by the next pair; g++ 17 builds all of them below.
    for program in "${programs[@]}"; do
        if whole || { [ "$pair" != "g++ 17" ] && [ "$program" = "${programs[turn % ${#programs[@]}]}" ]; }; then
            check "${program##*/} compiles by $pair" compiles "$pair" "$program"
        fi
    done
    turn=$((turn + 1))
done

# ---- what must not compile: the message is short, and says what is wrong ----
cat >"$work/refused.hpp" <<'END'
#include <jitreduce.hpp>

#include <string>
#include <vector>
END
precompile() { g++ -std=c++17 -Iinclude -x c++-header "$work/refused.hpp" -o "$work/refused.hpp.gch"; }
# A line N of code becomes a function whose text is line N of the file "case"; code that is wrong twice alike has its message once.
as_function() { # NUMBER CODE
    printf 'void f%d() {\nauto gpu = jitreduce::context::open();\nstd::vector<float> x;\nstd::vector<int> n;\nauto d = gpu.upload(x);\nconst jitreduce::program p("p", "");\n#line %d "case"\n%s\n#line 1 "between"\n}\n' "$1" "$1" "$2"
}
syntax() { g++ -std=c++17 -Iinclude -I"$work" -fsyntax-only "$1"; }
messages_of() { awk -v number="$1" 'match($0, /case:[0-9]+/) {now = substr($0, RSTART + 5, RLENGTH - 5)} now == number' "$work/log"; }
refused() { # NUMBER MESSAGE
    local messages
    messages=$(messages_of "$1")
    echo "$messages"
    [[ $messages == *"$2"* ]] && [ "$(grep -c ' error: ' <<<"$messages")" -le 3 ]
}
check "the header is compiled for what is refused" precompile
{ echo '#include "refused.hpp"' && as_function 1 ""; } >"$work/accepted.cpp"
check "a function without an error compiles" syntax "$work/accepted.cpp"
grep -v '^#' tests/cpp/refused.txt >"$work/refused.txt"
echo '#include "refused.hpp"' >"$work/refused.cpp"
number=0
while IFS= read -r line; do as_function $((number += 1)) "${line#* | }" >>"$work/refused.cpp"; done <"$work/refused.txt"
syntax "$work/refused.cpp" >"$work/log" 2>&1
number=0
while IFS= read -r line; do check "refused: ${line#* | }" refused $((number += 1)) "${line%% | *}"; done <"$work/refused.txt"

# ---- the programs ----
builds() { g++ -std=c++17 $warnings "$1" -o "$work/program" $link; }
for program in tests/cpp/test_*.cpp; do
    if [ -n "$sanitize" ] && [[ $program == *allocations* ]]; then
        skip "${program##*/}" "a sanitizer counts its own allocations"
        continue
    fi
    check "${program##*/} builds" builds "$program"
    "$work/program" >"$work/log"
    grep -v '^[0-9]* passed' "$work/log"
    read -r p f < <(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$work/log")
    passed=$((passed + ${p:-0})) failed=$((failed + ${f:-1}))
done

# ---- two plug-ins with the static library inside, where each sees the other's names ----
# Both are one object, in which what a plug-in is found by has another name.
plugins() { # FLAG...
    g++ -std=c++17 $warnings -fPIC -DPLUGIN=one -c tests/cpp/plugins/plugin.cpp -o "$work/one.o" "$@" &&
        objcopy --redefine-sym one=two "$work/one.o" "$work/two.o" && plugin one && plugin two
}
plugin() { g++ -shared "$work/$1.o" -o "$work/$1.so" "$build/libjitreduce.a" -lmd -ldl -lpthread -lm; }
host() { "$work/host" "$work/one.so" "$work/two.so"; }
exported() { nm -DC --defined-only "$work/one.so" | cut -c18- | grep -E "$1" | grep -v ' std::'; }
# Calls that go by a name which another shared object may have, too; those of std's templates are alike in both.
by_name() { readelf -rW "$work/one.so" | c++filt | grep -E 'JUMP_SLOT.*(jr_|jitreduce)' | grep -v ' std::'; }
if [ -n "$sanitize" ]; then
    skip "plug-ins" "a sanitizer's globals of two copies are one"
else
    check "the host of plug-ins builds" g++ -std=c++17 $warnings tests/cpp/plugins/host.cpp -o "$work/host" -ldl
    check "plug-ins build" plugins
    same "plug-ins without flags have a library each and one header" "10 6|library apart|header shared|3" "$(host | paste -sd'|')"
    same "they export none of the library's names" "" "$(exported '^[A-Z] jr_')"
    check "but the header's" test -n "$(exported jitreduce)"
    check "plug-ins build and hide" plugins -DJITREDUCE_STATIC
    same "plug-ins that hide have a library and a header each" "10 6|library apart|header apart|3" "$(host | paste -sd'|')"
    same "they export no name of either" "" "$(exported 'jr_|jitreduce')"
    same "and call their own functions directly" "" "$(by_name)"
fi
finish
