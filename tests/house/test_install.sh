#!/usr/bin/env bash
# Installs into a temporary prefix, builds README's C examples with pkg-config alone and one with CMake, runs them on the
# simulator without LD_LIBRARY_PATH, and uninstalls until nothing is left.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
. tests/house/say.sh
build=${JR_TEST_BUILD:?}
make_work
version=$(awk '/define JR_VERSION_(MAJOR|MINOR|PATCH)/ {v = v s $3; s = "."} END {print v}' include/jitreduce/types.h)

run_install() { # ACTION PREFIX DESTDIR
    prefix=$2 bindir=$2/bin libdir=$2/lib includedir=$2/include DESTDIR=$3 version=$version \
        tools/dev/install.sh "$1" "$build"
}
files() { (cd "$1" && find . ! -type d | LC_ALL=C sort); }
compile_example() {
    # shellcheck disable=SC2046  # pkg-config's words are separate arguments
    PKG_CONFIG_PATH=$work/home/lib/pkgconfig gcc -std=c11 -Wall -Wextra -Werror "$work/example$1.c" \
        $(PKG_CONFIG_PATH=$work/home/lib/pkgconfig pkg-config --cflags --libs jitreduce) $sanitize -o "$work/example$1"
}
compile_cpp() {
    # shellcheck disable=SC2046
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "$work/example.cpp" \
        $(PKG_CONFIG_PATH=$work/home/lib/pkgconfig pkg-config --cflags --libs jitreduce) $sanitize -o "$work/example_cpp"
}
run_example() { env -u JITREDUCE_SIM -u LD_LIBRARY_PATH "$work/example$1"; }

sanitize=
for kind in address undefined thread; do
    if [[ $(readelf -d "$build/libjitreduce.so") =~ lib${kind:0:1}[a-z]*san\.so ]]; then sanitize=-fsanitize=$kind; fi
done

check "install works below a prefix" run_install install "$work/home" ""
examples=$(grep -c '^```c$' README.md)
for n in $(seq "$examples"); do
    tools/dev/readme_example.sh "$n" >"$work/example$n.c"
    check "README's example $n builds with pkg-config alone" compile_example "$n"
    check "README's example $n runs on $JITREDUCE_DEVICE" run_example "$n"
    same "README's example $n prints what README says" "$(tools/dev/readme_example.sh --output "$n")" "$(run_example "$n" 2>&1)"
done
tools/dev/readme_example.sh --language cpp >"$work/example.cpp"
check "README's C++ program builds with pkg-config alone" compile_cpp
same "README's C++ program prints what README says" "$(tools/dev/readme_example.sh --language cpp --output)" "$(run_example _cpp 2>&1)"

# ---- CMake: a project of its own, with nothing but the prefix ----
write_project() {
    mkdir -p "$work/project"
    cp "$work/example1.c" "$work/project/main.c"
    cp "$work/example.cpp" "$work/project/main.cpp"
    cp tests/cpp/plugins/plugin.cpp "$work/project/plugin.cpp"
    cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.10...3.25)
project(example C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(jitreduce ${WANTED} CONFIG REQUIRED)
add_executable(shared main.c)
target_link_libraries(shared jitreduce::jitreduce)
add_executable(static main.c)
target_link_libraries(static jitreduce::static)
foreach(kind shared static)
  add_executable(cpp_${kind} main.cpp)
endforeach()
target_link_libraries(cpp_shared jitreduce::jitreduce)
target_link_libraries(cpp_static jitreduce::static)
add_library(plugin MODULE plugin.cpp)
target_link_libraries(plugin jitreduce::static)
END
}
configure() { # VERSION PREFIX
    rm -rf "$work/made" && cmake -S "$work/project" -B "$work/made" -DWANTED="$1" -DCMAKE_PREFIX_PATH="$2" \
        -DCMAKE_C_FLAGS="$sanitize" -DCMAKE_CXX_FLAGS="$sanitize"
}
refuses() { ! configure "$1" "$work/home"; }
if command -v cmake >/dev/null; then
    write_project
    versions=("" 0.2 "$version")
    if whole; then versions=(0.3 "${version%.*}" "${versions[@]}"); fi
    for wanted in "${versions[@]}"; do
        check "CMake takes this version for version '$wanted'" configure "$wanted" "$work/home"
    done
    check "a CMake project builds" cmake --build "$work/made"
    # A static program finds the simulator by its own run path, with which a sanitizer's dlopen does not look: it calls the
    # real one from its own library.
    path=(-u LD_LIBRARY_PATH)
    if [ -n "$sanitize" ]; then path=("LD_LIBRARY_PATH=$work/home/lib"); fi
    for kind in shared static; do
        same "it runs, $kind" "$(tools/dev/readme_example.sh --output 1)" \
            "$(env -u JITREDUCE_SIM "${path[@]}" "$work/made/$kind" 2>&1)"
        same "it runs in C++, $kind" "$(tools/dev/readme_example.sh --language cpp --output)" \
            "$(env -u JITREDUCE_SIM "${path[@]}" "$work/made/cpp_$kind" 2>&1)"
    done
    same "a plug-in with the static library exports none of its names" "" \
        "$(nm -DC --defined-only "$work/made/libplugin.so" | cut -c18- | grep -E 'jr_|jitreduce' | grep -v ' std::')"
    check "a range that this version is in is taken" configure "0.1...${version%%.*}.99" "$work/home"
    check "a range that begins after it is refused" refuses "${version%%.*}.98...${version%%.*}.99"
    check "a range that ends before it is refused" refuses 0.1...0.1.99
    check "a range that ends with it, but without it, is refused" refuses "0.1...<$version"
    check "a range of another major version is refused" refuses 7...9
    check "a version to come is refused" refuses "${version%%.*}.99"
    check "another major version is refused" refuses 7
    check "a version before the promise is refused" refuses 0.1
    cp -a "$work/home" "$work/moved"
    check "the prefix may be moved" configure "$version" "$work/moved"
    rm -rf "$work/moved"
else
    skip "CMake projects" "there is no cmake (make deps installs it)"
fi

# ---- a prefix with spaces, and one that is moved ----
spaced="$work/a prefix"
check "install works below a prefix with spaces" run_install install "$spaced" ""
words() { PKG_CONFIG_PATH="$spaced/lib/pkgconfig" pkg-config --cflags --libs jitreduce; }
compile_spaced() { eval "gcc -std=c11 -Wall -Wextra -Werror '$work/example1.c' $(words) $sanitize -o '$spaced/example'"; }
check "a program builds there with pkg-config" compile_spaced
same "it prints what README says" "$(tools/dev/readme_example.sh --output 1)" \
    "$(env -u JITREDUCE_SIM -u LD_LIBRARY_PATH "$spaced/example" 2>&1)"
same "the command finds its library by a path of its own" "\$ORIGIN:\$ORIGIN/../lib" \
    "$(MAKEFLAGS='' make -pn prefix="$spaced" help 2>/dev/null | sed -n 's/^RPATH := //p' | sed 's/\$\$/$/g')"
mv "$spaced" "$work/moved prefix"
same "the command may be moved with its prefix" 6 \
    "$(printf '1 2 3\n' | env -u JITREDUCE_SIM -u LD_LIBRARY_PATH JITREDUCE_DEVICE=sim "$work/moved prefix/bin/jitreduce" --op sum - 2>&1)"

pages() { # all commands but help and version, which are on the first page; and the topics
    "$build/jitreduce" --help | awk '/^[A-Z]/ {on = /^Commands/} on && /^  [a-z]/ && $1 != "help" && $1 != "version" {print $1}' |
        cat - <(printf '%s\n' expressions operators formats) | sort
}
same "every command and topic has a manual page" "$(pages)" \
    "$(cd "$work/home/share/man/man1" && printf '%s\n' jitreduce-*.1 | sed 's/jitreduce-\(.*\)\.1/\1/' | sort)"
# ---- the documentation ----
doc=$work/home/share/doc/jitreduce
same "every page of the manual is installed" "$(cd include/manual && echo *.md)" "$(cd "$doc/manual" && echo *.md)"
same "every example is installed" "$(cd tools/examples && echo *)" "$(cd "$doc/examples" && echo *)"
for page in README.md CHANGES.md LICENSE; do check "$page is installed" test -s "$doc/$page"; done
broken_links() {
    local page link
    find "$1" -name '*.md' | while read -r page; do
        grep -oE '\]\([^)#]+' "$page" | sed 's/^](//' | grep -v '^http' | sort -u | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || echo "${page##*/}: $link"
        done
    done
}
links() { grep -rhoE '\]\([^)#]+' "$1" | grep -vc http; }
same "every link of an installed page leads to an installed file" "" "$(broken_links "$doc")"
check "there are such links" test "$(links "$doc")" -gt 50
headers_pages() { grep -hoE 'Manual: .*' include/jitreduce/*.h | grep -oE '[a-z_]+\.md' | sort -u; }
for page in $(headers_pages); do check "$page, which a header names, is installed" test -s "$doc/manual/$page"; done
check "every header names its page" test "$(grep -L '^ \* Manual: ' include/jitreduce/*.h | wc -l)" = 0

check "the installed command runs" env -u JITREDUCE_SIM "$work/home/bin/jitreduce" --version
same "the installed command finds the simulator beside the library" 1 \
    "$(printf '3 1 2\n' | env -u JITREDUCE_SIM JITREDUCE_DEVICE=sim "$work/home/bin/jitreduce" --op min --type i32 - 2>/dev/null)"
mkdir -p "$work/home/lib" && touch "$work/home/lib/libother.so"
check "uninstall works" run_install uninstall "$work/home" ""
same "uninstall leaves other files alone and none of ours" "./lib/libother.so" "$(files "$work/home")"
check "uninstall leaves no folder of the documentation" test ! -e "$doc"

# ---- NVRTC that `make demo` fetched into the checkout ----
mkdir "$work/linked" "$work/fetched" && ln -s "$build"/* "$work/linked"
rm -f "$work/linked"/libnvrtc* && touch "$work/fetched/libnvrtc.so.13" && ln -s "$work/fetched/libnvrtc.so.13" "$work/linked"
own_build=$build build=$work/linked
check "install works beside such an NVRTC" run_install install "$work/fetching" ""
same "the installed library finds it" "$work/fetched/libnvrtc.so.13" "$(readlink "$work/fetching/lib/jitreduce/libnvrtc.so.13")"
check "a package does not name the checkout" run_install install /opt/jr "$work/stage_fetching"
check "so it holds no such link" test ! -e "$work/stage_fetching/opt/jr/lib/jitreduce/libnvrtc.so.13"
build=$own_build
check "uninstall removes that link, too" run_install uninstall "$work/fetching" ""
same "and leaves nothing" "" "$(files "$work/fetching")"

refuse_relative() { ! run_install install some/where "" && [ ! -e some ]; }
check "a relative prefix is refused" refuse_relative
same "and the message says what to give" "prefix is 'some/where': give an absolute path, as $PWD/some/where" "$(run_install install some/where "" 2>&1)"
check "install honours DESTDIR" run_install install /opt/jr "$work/stage"
check "nothing lies outside DESTDIR and prefix" test "$(ls "$work/stage")" = opt
check "jitreduce.pc does not name DESTDIR" bash -c "! grep -q '$work' '$work/stage/opt/jr/lib/pkgconfig/jitreduce.pc'"
check "in a folder that the linker searches programs get no path of their own" bash -c "
    prefix=/usr bindir=/usr/bin libdir=/usr/lib includedir=/usr/include DESTDIR='$work/system' version=$version \
        tools/dev/install.sh install '$build' && ! grep -q rpath '$work/system/usr/lib/pkgconfig/jitreduce.pc'"

# ---- make deb builds with another prefix, aside from the build that its user works with ----
link_build() { tools/dev/links.sh "$work/root" "$1" "${2:-release}" && readlink "$work/root/current"; }
same "a release build gets the stable paths" one "$(link_build one)"
same "the next one, too" two "$(link_build two)"
same "another kind of build does not" two "$(link_build three debug)"
same "nor a build for packages" two "$(JR_STABLE_PATHS=no link_build four)"
makes_before() { awk '/JR_STABLE_PATHS=no/ {exit} /^ *make / {n++} END {print n + 0}' tools/dev/deb.sh; }
same "deb.sh asks for that before it builds" 0 "$(makes_before)"
finish
