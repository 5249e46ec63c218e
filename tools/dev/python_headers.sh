#!/usr/bin/env bash
# Prints the folder of Python's headers, for Debian's Python where there is one, else for the user's; 1 when it is missing.
for python in /usr/bin/python3 python3; do
    folder=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))' 2>/dev/null)
    if [ -e "$folder/Python.h" ]; then echo "$folder" && exit; fi
done
exit 1
