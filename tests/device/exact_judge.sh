#!/usr/bin/env bash
# Python's integers and fractions as the judge of exact sums: that part of tests/judge which takes its time, apart.
set -uo pipefail
JITREDUCE_JUDGE=exact exec "$(dirname "$0")/../judge/run.sh"
