#!/usr/bin/env bash
# Copies the shared libraries a program needs, beyond the C library's own, into a folder that can travel with it.
# usage: copy_libs.sh PROGRAM FOLDER
set -euo pipefail
mkdir -p "$2"
ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// {print $3}' | while read -r library; do
    case $(basename "$library") in
    libcmocka.* | libmd.*) cp -Lu "$library" "$2/" ;;
    esac
done
