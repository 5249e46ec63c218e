"""`python -m jitreduce` is the command `jitreduce` that comes with the package."""

import os
import sys

from ._context import find_nvrtc


def main():
    """Becomes the command; NVRTC of this Python's wheels is its NVRTC."""
    command = os.path.join(os.path.dirname(os.path.abspath(__file__)), "jitreduce")
    nvrtc = find_nvrtc()
    if nvrtc:
        os.environ["JITREDUCE_NVRTC"] = nvrtc
    os.execv(command, ["jitreduce", *sys.argv[1:]])


if __name__ == "__main__":
    main()
