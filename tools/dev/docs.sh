#!/usr/bin/env bash
# Makes pages of the public headers and of the manual with Doxygen; a warning is a failure.
# usage: docs.sh FOLDER VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1 version=$2
command -v doxygen >/dev/null || { echo "docs: doxygen is missing; \`make deps DOCS=1\` installs it" && exit 1; }
rm -rf "$folder/pages" && mkdir -p "$folder/pages"
# Pages get labels, and links between them stay; other links become their text, of which Doxygen links names of headers.
# Code gets two backticks on each side: after a single one, a ' ends it for Doxygen.
for page in include/manual/*.md; do
    name=$(basename "$page" .md)
    # shellcheck disable=SC2016 # backticks of Markdown
    sed -E -e "1s/^# (.*)/# \1 {#manual_$name}/" -e 's,!?\[([^]]*)\]\(\.\./[^)]*\),\1,g' \
        -e 's,\]\(([a-z_]+)\.md(#[^)]*)?\),](@ref manual_\1),g' -e 's/^(```)[a-z]+ [^ ]+$/\1/' -e 's/<!--.*-->//' \
        -e 's,`([^`]+)`,``\1``,g' "$page" >"$folder/pages/$name.md"
done
# Comments of the headers are plain text: the filter makes Doxygen's of them.
cat >"$folder/Doxyfile" <<END_OF_FILE
PROJECT_NAME           = jitreduce
PROJECT_NUMBER         = $version
PROJECT_BRIEF          = "Parallel reductions from kernel strings, compiled at run time"
OUTPUT_DIRECTORY       = "$folder"
INPUT                  = include/jitreduce.h include/jitreduce "$folder/pages"
FILE_PATTERNS          = *.h *.md
EXTENSION_MAPPING      = h=C
OPTIMIZE_OUTPUT_FOR_C  = YES
JAVADOC_AUTOBRIEF      = YES
MARKDOWN_SUPPORT       = YES
TOC_INCLUDE_HEADINGS   = 0
EXTRACT_ALL            = YES
GENERATE_LATEX         = NO
HAVE_DOT               = NO
QUIET                  = YES
WARNINGS               = YES
WARN_IF_UNDOCUMENTED   = NO
WARN_LOGFILE           = "$folder/warnings"
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
PREDEFINED             = JR_API=
FILTER_PATTERNS        = *.h=tools/dev/docs_filter.py
FILTER_SOURCE_FILES    = NO
END_OF_FILE
rm -f "$folder/warnings"
doxygen "$folder/Doxyfile"
if [ -s "$folder/warnings" ]; then cat "$folder/warnings" && exit 1; fi
echo "$folder/html/index.html"
