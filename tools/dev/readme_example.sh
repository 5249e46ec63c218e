#!/usr/bin/env bash
# Prints a C example of README.md (its Nth block marked c), or with --output what README says that it prints.
# usage: readme_example.sh [--output] [N]
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1:-}" = --output ]; then
    # shellcheck disable=SC2016  # the backquotes are README's
    sed -n 's/^It prints `\([^`]*\)`[.;].*$/\1/p; s/^It prints `\([^`]*\)`\.$/\1/p' README.md | sed -n "${2:-1}p"
else
    awk -v n="${1:-1}" '/^```c$/ {k++; on = k == n; next} /^```$/ && on {exit} on' README.md
fi
