#!/usr/bin/env bash
# Tells what has moved between the headers of a version and later ones: abidiff's report and a failure, or nothing.
# usage: compare.sh INCLUDE_FOLDER_THEN INCLUDE_FOLDER_NOW
#
# Structs that begin with their size may have got members behind their last one. Those are cut off before abidiff looks
# (its own way to overlook them, has_data_member_inserted_at, overlooks every change of such a struct), so that all that
# was there then is compared. They must not end in padding either: a member that comes later would lie in it.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The interface as one header without comments, so that a member is a line.
bare() { # INCLUDE_FOLDER TO
    mkdir "$2"
    tests/abi/freeze.sh "$1" >"$2/jitreduce.h"
}
# "STRUCT MEMBER" for every struct that begins with its size: its last member.
last_members() { # BARE_FOLDER
    awk '/^typedef struct [a-z_]+ \{/ {name = $3; sized = 0}
         /^ +size_t size;/ {sized = 1}
         /^}/ {if (sized) print name, member; sized = 0}
         sized && /;$/ {member = $0; sub(/(\[[^]]*\])*;$/, "", member); sub(/.*[ *]/, "", member)}' "$1"/jitreduce.h
}
# Removes what stands behind these members.
cut_behind() { # LAST_MEMBERS HEADER...
    local members=$1 header
    shift
    for header; do
        awk 'NR == FNR {last[$1] = $2; next}
             /^typedef struct [a-z_]+ \{/ {name = $3; behind = 0}
             /^}/ {name = ""; behind = 0}
             !behind {print}
             name in last && /;$/ {
                 member = $0; sub(/(\[[^]]*\])*;$/, "", member); sub(/.*[ *]/, "", member)
                 if (member == last[name]) behind = 1
             }' "$members" "$header" >"$work/cut" && mv "$work/cut" "$header"
    done
}
# A library of nothing but the types and the functions' types of some headers.
describe() { # BARE_FOLDER LIBRARY
    {
        echo '#include "jitreduce.h"'
        sed -n 's/^} \(jr_[a-z_]*\);/\1 *type_of_\1;/p' "$1"/jitreduce.h
        sed -n 's/^JR_API .*[ *]\(jr_[a-z0-9_]*\)(.*/__typeof__(\1) *type_of_\1;/p' "$1"/jitreduce.h
    } >"$2.c"
    gcc -g -fPIC -shared -I"$1" "$2.c" -o "$2"
}
padding() { # BARE_FOLDER LAST_MEMBERS
    awk 'BEGIN {print "#include \"jitreduce.h\""}
         {printf "_Static_assert(offsetof(%s, %s) + sizeof(((%s *)0)->%s) == sizeof(%s), \"%s ends in padding\");\n",
                 $1, $2, $1, $2, $1, $1}' "$2" >"$work/padding.c"
    gcc -fsyntax-only -I"$1" "$work/padding.c"
}

bare "$1" "$work/then"
bare "$2" "$work/now"
last_members "$work/now" >"$work/now_last"
padding "$work/now" "$work/now_last"
last_members "$work/then" >"$work/then_last"
cut_behind "$work/then_last" "$work"/now/jitreduce.h
describe "$work/then" "$work/then.so"
describe "$work/now" "$work/now.so"
abidiff --no-added-syms "$work/then.so" "$work/now.so"
