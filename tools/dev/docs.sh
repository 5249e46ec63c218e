#!/usr/bin/env bash
# Makes pages of the public headers with Doxygen; a warning is a failure.
# usage: docs.sh FOLDER VERSION
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$1 version=$2
command -v doxygen >/dev/null || { echo "docs: doxygen is missing; \`make deps DOCS=1\` installs it" && exit 1; }
mkdir -p "$folder"
# Comments of the headers are plain text in front of what they tell of: the filter makes Doxygen's of them.
cat >"$folder/Doxyfile" <<END
PROJECT_NAME           = jitreduce
PROJECT_NUMBER         = $version
PROJECT_BRIEF          = "Parallel reductions from kernel strings, compiled at run time"
OUTPUT_DIRECTORY       = $folder
INPUT                  = include/jitreduce.h include/jitreduce
FILE_PATTERNS          = *.h
EXTENSION_MAPPING      = h=C
OPTIMIZE_OUTPUT_FOR_C  = YES
JAVADOC_AUTOBRIEF      = YES
MARKDOWN_SUPPORT       = NO
EXTRACT_ALL            = YES
GENERATE_LATEX         = NO
HAVE_DOT               = NO
QUIET                  = YES
WARNINGS               = YES
WARN_IF_UNDOCUMENTED   = NO
WARN_LOGFILE           = $folder/warnings
MACRO_EXPANSION        = YES
EXPAND_ONLY_PREDEF     = YES
PREDEFINED             = JR_API=
INPUT_FILTER           = "awk -f tools/dev/docs_filter.awk"
END
rm -f "$folder/warnings"
doxygen "$folder/Doxyfile"
if [ -s "$folder/warnings" ]; then cat "$folder/warnings" && exit 1; fi
echo "$folder/html/index.html"
