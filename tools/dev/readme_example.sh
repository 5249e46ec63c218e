#!/usr/bin/env bash
# Prints a program of README.md, its Nth block of a language, or with --output the block of text after it: what it prints.
# usage: readme_example.sh [--language c|cpp|python] [--output] [N]
set -euo pipefail
cd "$(dirname "$0")/../.."
language=c output=0
while [[ ${1:-} == --* ]]; do
    case $1 in
    --language) language=$2 && shift ;;
    --output) output=1 ;;
    esac
    shift
done
awk -v n="${1:-1}" -v language="$language" -v output="$output" '
    $0 == "```" language {k++; on = !output && k == n; after = k == n; next}
    /^```text$/ && after && output {on = 1; after = 0; next}
    /^```$/ && on {exit}
    on' README.md
