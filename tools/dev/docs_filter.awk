# Prints a public header as Doxygen reads it: a comment in front of a declaration is that of what follows it, one behind a
# member the member's, and the file's first one the file's.
BEGIN { inside = 0 }
FNR == 1 && /^\/\* / { sub(/^\/\* /, "/** @file\n * "); print; inside = !/\*\//; next }
!/^ *#/ { gsub(/[@#<>]/, "\\\\&") } # signs that Doxygen would take for its own
/^\/\* ----/ { print; next } # a heading
/^ *\/\* / && !inside { sub(/\/\* /, "/** "); inside = !/\*\//; print; next }
/[;,{}] +\/\* / && !inside { sub(/\/\* /, "/**< "); inside = !/\*\//; print; next }
/\*\// { inside = 0 }
{ print }
