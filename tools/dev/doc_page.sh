#!/usr/bin/env bash
# Prints a page of the documentation as it is installed: links lead to installed pages, examples and headers; a link to what
# is not installed becomes its text.
# usage: doc_page.sh PAGE INCLUDE_FOLDER      INCLUDE_FOLDER: from share/doc/jitreduce; "": headers are not linked either
set -euo pipefail
cd "$(dirname "$0")/../.."
page=$1 include=$2

case $page in
include/manual/*) up=../ ;;
*) up= ;;
esac
# Every link is first written as a path from the root of the source tree.
from_root='t'
case $page in
include/manual/*) from_root='s,\]\(\.\./\.\./,](,g; s,\]\(\.\./,](include/,g; s,\]\(([a-z_]+\.md),](include/manual/\1,g' ;;
include/*) from_root='s,\]\(\.\./,](,g; s,\]\((jitreduce|manual),](include/\1,g' ;;
tools/examples/*) from_root='s,\]\(\.\./\.\./,](,g' ;;
esac
headers='s,!?\[([^]]*)\]\(include/jitreduce[^)]*\),\1,g'
if [ -n "$include" ]; then headers="s,\]\(include/(jitreduce),](${up}$include/\1,g"; fi
sed -E -e "$from_root" -e "s,\]\(include/(manual/|CHANGES\.md),](${up}\1,g" -e "s,\]\(tools/(examples/),](${up}\1,g" \
    -e "s,\]\((README\.md|LICENSE),](${up}\1,g" -e "$headers" -e 's,!?\[([^]]*)\]\((tools|tests|src|kernels_src)/[^)]*\),\1,g' "$page"
